// Mini-batches of one rank, prefetched by background threads.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "runtime/data/mini_batch.hpp"
#include "runtime/data/splits.hpp"

namespace lbann::runtime {

/// This rank's part of a mini-batch. Valid until the next call of its stream. Fields lie one after
/// the other, each with room for the largest part, padded to a multiple of `buffer_alignment`.
struct Batch {
  std::int64_t number = 0;               ///< in the epoch, from 0
  std::int64_t size = 0;                 ///< samples of the mini-batch on all ranks
  std::int64_t local_size = 0;           ///< samples of this rank
  std::int64_t first_sample = 0;         ///< index in the epoch of this rank's first sample
  double waited = 0;                     ///< seconds that `next` waited for it
  std::vector<ReadPart> parts;           ///< in order of their samples; some may be empty
  std::vector<std::byte const*> fields;  ///< per field of the source: `local_size` samples
  std::vector<std::int64_t> indices;     ///< indices of the samples in the data
  /// Of those that they are mixed with; empty where samples are given as they are.
  std::vector<std::int64_t> partners;
};

/// Brings what other ranks hold of mini-batches before threads read them. Called by the thread that
/// takes mini-batches, in the same order on all ranks.
class BatchExchange {
 public:
  virtual ~BatchExchange() = default;
  /// Collective. Nothing is under way then. `order`: of all samples of the epoch.
  virtual void begin_epoch(std::span<std::int64_t const> order, std::int64_t mini_batch) = 0;
  /// Asks for the samples of a mini-batch, `indices` on all ranks, for staging buffer `buffer`,
  /// which nobody reads. Allocates nothing.
  virtual void post(std::size_t buffer, std::span<std::int64_t const> indices) = 0;
  /// Whether they are there; makes progress without blocking.
  virtual bool arrived(std::size_t buffer) = 0;
  /// The mini-batch is used, and not only read ahead.
  virtual void taken(std::size_t buffer) = 0;
};

class BatchStream {
 public:
  /// Memory of staging buffers, aligned to `buffer_alignment`; null if there is not enough.
  using Memory = std::unique_ptr<std::byte, void (*)(std::byte*)>;
  static Memory allocate_on_host(std::int64_t bytes);

  struct Options {
    std::int64_t mini_batch = 1;  ///< samples on all ranks, at most
    std::int64_t seed = 0;        ///< of the order of samples
    std::int64_t rank = 0, ranks = 1;
    std::int64_t threads = 1;                           ///< at least 1
    std::int64_t batches_ahead = 4;                     ///< staging buffers, at least 2
    std::shared_ptr<BatchExchange> exchange = nullptr;  ///< null: ranks read for themselves
    /// Sizes of the axes that mini-batches are cut over, one after the other; empty: `ranks`.
    std::vector<std::int64_t> cuts = {};
    std::function<Memory(std::int64_t bytes)> allocate = &allocate_on_host;
  };

  /// Allocates the staging buffers and starts the threads; `plan` and its texts must outlive the
  /// stream.
  static Result<std::unique_ptr<BatchStream>> open(Plan const& plan, Split split, Options options);

  ~BatchStream();
  BatchStream(BatchStream const&) = delete;

  std::int64_t samples() const;                   ///< of an epoch, on all ranks
  std::int64_t batches() const;                   ///< of the epoch; the last may be smaller
  std::vector<std::int64_t> field_bytes() const;  ///< of one sample, per field
  std::int64_t parts() const;                     ///< of a mini-batch, each read by one thread

  /// Whether all mini-batches of the epoch were taken.
  bool at_end() const;
  /// Begins epoch `epoch`, whose order is a function of (seed, role, epoch), in mini-batches of
  /// `mini_batch` samples, 0: the maximum; mini-batches prefetched of another epoch are dropped.
  /// Must be called before the first `next`. The next epoch is not prefetched until this is called
  /// for it.
  /// The epoch's mini-batches before `first_batch` are left out. Collective where there is an
  /// exchange.
  void start_epoch(std::int64_t epoch, std::int64_t mini_batch = 0, std::int64_t first_batch = 0);

  /// The next mini-batch, waiting for it if need be; null after the last of the epoch. Allocates
  /// nothing. A problem of its first sample that has one is returned in place of a mini-batch; it
  /// names the file and the line of the experiment.
  Result<Batch const*> next();

  /// `find_not_finite` of its samples.
  std::optional<std::string> find_not_finite(std::span<std::int64_t const> indices,
                                             std::span<std::byte* const> wanted) const;

 private:
  class Workers;
  explicit BatchStream(std::unique_ptr<Workers> workers);
  std::unique_ptr<Workers> workers_;
};

}  // namespace lbann::runtime
