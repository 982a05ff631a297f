// Samples in the memory of the ranks of a trainer.
#pragma once

#include <atomic>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "runtime/communication/communicator.hpp"
#include "schemas/samples/samples.hpp"

namespace lbann::runtime {

/// The memory of one rank for samples, given out by threads without locks and never taken back.
class StoreMemory {
 public:
  /// Reserves addresses; pages become memory when they are written.
  static Result<std::shared_ptr<StoreMemory>> reserve(std::int64_t bytes);
  ~StoreMemory();
  StoreMemory(StoreMemory const&) = delete;

  /// Null once there is no room.
  std::byte* take(std::int64_t bytes);
  std::int64_t used() const { return std::min(used_.load(), size_); }
  std::int64_t size() const { return size_; }

 private:
  StoreMemory(std::byte* begin, std::int64_t size) : begin_(begin), size_(size) {}

  std::byte* begin_;
  std::int64_t size_;
  std::atomic<std::int64_t> used_{0};
};

/// How data stores of a rank are opened.
struct StoreOptions {
  std::shared_ptr<StoreMemory> memory;
  bool preloads = false;  ///< whether ranks read all samples before the first epoch
};

/// The samples of a reader. A rank that reads a sample which nobody has keeps it, as `pack` gives
/// it; `share` lets all ranks know. A rank's copy of what another one keeps is lent to it for as
/// long as its mini-batch needs it (`StoreExchange`). What nobody keeps is read where it is needed.
class DataStore final : public Samples {
 public:
  DataStore(std::shared_ptr<Samples const> samples, StoreOptions const& options);

  std::int64_t count() const override { return samples_->count(); }
  std::vector<GivenField> const& fields() const override { return samples_->fields(); }
  std::int64_t overlap() const override { return samples_->overlap(); }
  std::string place(std::int64_t index, std::size_t field) const override {
    return samples_->place(index, field);
  }
  Result<Success> read(std::int64_t index, std::size_t field,
                       FieldValues const& values) const override;
  Result<Success> read_whole(std::int64_t index, std::size_t field,
                             SampleValues& sample) const override;

  /// Collective: reads `indices`, each on one rank, by `threads` threads of it, as long as there is
  /// memory.
  Result<Success> preload(std::span<std::int64_t const> indices, std::int64_t threads,
                          Communicator& ranks);
  /// Collective: all ranks learn what each has kept of `indices`, the same on all of them. Not
  /// while a thread reads one of them.
  void share(std::span<std::int64_t const> indices, Communicator& ranks);

  /// The rank that keeps a sample, as far as all ranks know; -1: none. Its bytes are
  /// `bytes_of_sample` there.
  std::int64_t keeper(std::int64_t index) const;
  std::int64_t bytes_of_sample(std::int64_t index) const;
  /// What this rank keeps of a sample.
  std::span<std::byte const> kept(std::int64_t index) const;
  /// Bytes that another rank keeps, until they are taken back by lending none.
  void lend(std::int64_t index, std::span<std::byte const> bytes);

  /// Samples that this rank keeps.
  std::int64_t samples_kept() const { return samples_kept_.load(); }

 private:
  struct Place {
    std::atomic<std::byte const*> data{nullptr};
    std::int64_t size = 0;
  };

  /// The bytes of a sample in memory, kept now if they may be; none if they are not.
  Result<std::span<std::byte const>> bytes_of(std::int64_t index) const;
  Result<std::span<std::byte const>> read_and_keep(std::int64_t index) const;

  std::shared_ptr<Samples const> samples_;
  std::shared_ptr<StoreMemory> memory_;
  bool preloads_;
  mutable std::vector<Place> places_;
  mutable std::atomic<std::int64_t> samples_kept_{0};
  mutable std::atomic<bool> full_{false};
  /// Per sample, 0: unknown; else 1 + rank that keeps it. Written by `share` alone.
  std::vector<std::int32_t> keepers_;
  std::vector<std::int32_t> sizes_;  ///< where there is a keeper
};

}  // namespace lbann::runtime
