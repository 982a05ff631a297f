// One pass over the samples of a role: mini-batches into the inputs, and the entry point for each.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "runtime/execution/executor.hpp"
#include "runtime/observation/observer.hpp"
#include "runtime/training/mini_batch.hpp"

namespace lbann::runtime {

/// Where mini-batches come from.
class Feed {
 public:
  virtual ~Feed() = default;
  /// Begins a pass; the order of samples is a function of `epoch`.
  virtual void begin(std::int64_t epoch) = 0;
  /// Copies this rank's part of the next mini-batch, field by field, to `fields`. Allocates
  /// nothing.
  virtual Result<MiniBatch> next(std::span<std::byte* const> fields) = 0;
};

class Phase {
 public:
  /// `source` tells which inputs the feed's fields fill; it outlives this.
  Phase(std::unique_ptr<Feed> feed, PhaseSize size, DataSource const& source)
      : feed_(std::move(feed)), size_(size), source_(&source) {}

  /// Binds `entry`, and its observed variant if the plan has one, for this rank's part of the full
  /// and the last mini-batch, and the feed's fields to the inputs.
  Result<Success> bind(Executor& executor, std::string_view entry);

  PhaseSize size() const { return size_; }
  void begin(std::int64_t epoch) { feed_->begin(epoch); }
  /// Fills the inputs with this rank's part of the next mini-batch.
  Result<MiniBatch> load_next() { return feed_->next(fields_); }
  /// For a mini-batch of `samples` on all ranks; the observed variant if there is one and it is
  /// wanted.
  BoundEntry const& entry(std::int64_t samples, bool observed) const {
    auto const& pair = observed && observed_.full != nullptr ? observed_ : plain_;
    return samples == size_.mini_batch ? *pair.full : *pair.last;
  }

 private:
  std::unique_ptr<Feed> feed_;
  PhaseSize size_;
  DataSource const* source_;
  std::vector<std::byte*> fields_;
  /// For the full and for the last mini-batch.
  struct Pair {
    BoundEntry const *full = nullptr, *last = nullptr;
  };
  Result<Pair> bind_pair(Executor& executor, std::string_view entry) const;
  Pair plain_, observed_;
};

}  // namespace lbann::runtime
