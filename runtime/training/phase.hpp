// One pass over the samples of a role: mini-batches into the inputs, and the entry point for each.
#pragma once

#include <algorithm>
#include <cstring>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "runtime/callbacks/callback.hpp"
#include "runtime/data/feed.hpp"
#include "runtime/data/phase_sizes.hpp"
#include "runtime/execution/executor.hpp"

namespace lbann::runtime {

class Phase {
 public:
  /// `source` maps the feed's fields to inputs; it must outlive this.
  Phase(std::unique_ptr<Feed> feed, PhaseSizes const& sizes, ExecutionMode mode,
        DataSource const& source)
      : feed_(std::move(feed)),
        sizes_(sizes),
        mode_(mode),
        size_(sizes.of(mode)),
        source_(&source) {}

  /// Binds `entry`, its observed variant and in training `accumulate`, if the plan has them, for
  /// this rank's part of full and last micro-batches of all passes, and the feed's fields to the
  /// inputs.
  Result<Success> bind(Executor& executor, std::string_view entry);

  /// Of the current pass; of the first one before `begin`.
  PhaseSize size() const { return size_; }
  /// Begins a pass, at its step `first_step`.
  void begin(std::int64_t pass, std::int64_t first_step = 0) {
    size_ = sizes_.of(mode_, pass);
    feed_->begin(pass, first_step * size_.micro_batches_of_step());
  }
  /// Fills the inputs with what this rank has of the next micro-batch.
  Result<MiniBatch> load_next() { return feed_->next(fields_, &device::copy_to_device); }
  /// The same to memory of one's own, for each field of `source`; null for those not wanted.
  Result<MiniBatch> load_next(std::span<std::byte* const> fields) {
    return feed_->next(fields, [](void* to, void const* from, std::size_t bytes) {
      std::memcpy(to, from, bytes);
    });
  }
  /// Describes the first number in the last two micro-batches that is not finite.
  std::optional<std::string> find_not_finite() const { return feed_->find_not_finite(fields_); }
  /// The same of the fields that are not null.
  std::optional<std::string> find_not_finite(std::span<std::byte* const> fields) const {
    return feed_->find_not_finite(fields);
  }
  DataSource const& source() const { return *source_; }
  /// The entry point for `samples` on all ranks that end a step; if `observed`, its observed
  /// variant, if any.
  BoundEntry const& entry(std::int64_t samples, bool observed) const {
    return of_size(observed && !observed_.empty() ? observed_ : plain_, samples);
  }
  /// The one for a micro-batch of `samples` that is not the last of its mini-batch.
  BoundEntry const& accumulating_entry(std::int64_t samples) const {
    return of_size(accumulating_, samples);
  }

 private:
  std::unique_ptr<Feed> feed_;
  PhaseSizes sizes_;
  ExecutionMode mode_;
  PhaseSize size_;
  DataSource const* source_;
  std::vector<std::byte*> fields_;
  /// One for each size of mini-batches.
  using Bound = std::vector<BoundEntry const*>;
  Result<Bound> bind_sizes(Executor& executor, std::string_view entry) const;
  static BoundEntry const& of_size(Bound const& bound, std::int64_t samples) {
    return **std::ranges::find(bound, samples, &BoundEntry::mini_batch);
  }
  Bound plain_, observed_, accumulating_;
};

}  // namespace lbann::runtime
