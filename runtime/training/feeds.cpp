// Feeds of batch streams: copy staging buffers to the inputs, prefetch the next epoch.
#include "runtime/training/feeds.hpp"

#include <cstring>

#include "kernels/device/device.hpp"
#include "runtime/data/batch_stream.hpp"
#include "runtime/data/decode_image.hpp"
#include "runtime/data/splits.hpp"
#include "runtime/execution/planted_fault.hpp"
#include "schemas/plan/location.hpp"
#include "schemas/specialization/specialize.hpp"
#include "schemas/vocabulary/partition.hpp"

namespace lbann::runtime {

namespace {

/// A part of a staging buffer on its way to the inputs.
struct Piece {
  std::byte* to = nullptr;
  std::byte const* from = nullptr;
  std::size_t bytes = 0;

  /// Takes in `next` if here and there it lies behind this one with nothing but padding between:
  /// each copy to a device takes microseconds.
  bool extend(Piece const& next) {
    if (to == nullptr || next.from < from + bytes || next.to - to != next.from - from) return false;
    auto const begin = static_cast<std::size_t>(next.from - from);
    if (begin - bytes >= static_cast<std::size_t>(buffer_alignment)) return false;
    bytes = begin + next.bytes;
    return true;
  }
};

/// Staging buffers that the device copies from by itself.
BatchStream::Memory allocate_pinned(std::int64_t bytes) {
  return {device::allocate_pinned(bytes).release(),
          [](std::byte* memory) { device::Unpin()(memory); }};
}

class StreamFeed final : public Feed {
 public:
  /// `largest`: the most samples of a mini-batch on this rank. `prefetches`: before `begin`.
  StreamFeed(std::unique_ptr<BatchStream> stream, PhaseSizes sizes, ExecutionMode mode,
             std::int64_t largest, bool prefetches)
      : stream_(std::move(stream)),
        bytes_(stream_->field_bytes()),
        sizes_(std::move(sizes)),
        mode_(mode) {
    for (auto* indices : {&indices_, &previous_indices_})
      indices->reserve(2 * static_cast<std::size_t>(largest));
    parts_.reserve(static_cast<std::size_t>(stream_->parts()));
    if (prefetches) start(0);
  }

  void begin(std::int64_t epoch, std::int64_t first_batch) override {
    if (epoch != epoch_ || begun_ || first_batch > 0) start(epoch, first_batch);
  }

  Result<MiniBatch> next(std::span<std::byte* const> fields, Copy copy) override {
    auto batch = stream_->next();
    if (!batch) {
      // The other ranks go on to the next epoch, which may be collective.
      if (stream_->at_end()) start(epoch_ + 1);
      return batch.problem();
    }
    if (batch.value() == nullptr) return Problem{"an epoch has fewer mini-batches than announced"};
    begun_ = true;
    auto const samples = batch.value()->local_size;
    auto const& taken = *batch.value();
    std::swap(indices_, previous_indices_);
    indices_.assign(taken.indices.begin(), taken.indices.end());
    indices_.insert(indices_.end(), taken.partners.begin(), taken.partners.end());
    parts_.assign(taken.parts.begin(), taken.parts.end());
    MiniBatch const result{taken.size,
                           samples,
                           taken.first_sample,
                           taken.waited,
                           std::span(indices_).first(taken.indices.size()),
                           parts_};
    Piece piece;
    for (std::size_t i = 0; i < fields.size(); ++i) {
      if (fields[i] == nullptr || samples == 0) continue;
      Piece const next{fields[i], taken.fields[i], static_cast<std::size_t>(bytes_[i] * samples)};
      if (piece.extend(next)) continue;
      if (piece.bytes > 0) copy(piece.to, piece.from, piece.bytes);
      piece = next;
    }
    if (piece.bytes > 0) copy(piece.to, piece.from, piece.bytes);
    // After the last copy, the next epoch is prefetched while this one is computed and reported.
    if (taken.number + 1 == stream_->batches()) {
      device::synchronize();
      start(epoch_ + 1);
    }
    return result;
  }

  std::optional<std::string> find_not_finite(std::span<std::byte* const> fields) const override {
    auto found = stream_->find_not_finite(indices_, fields);
    // A bad input may first make weights NaN, and the objective only in the next step.
    return found ? found : stream_->find_not_finite(previous_indices_, fields);
  }

 private:
  void start(std::int64_t epoch, std::int64_t first_batch = 0) {
    stream_->start_epoch(epoch, sizes_.of(mode_, epoch).micro_batch, first_batch);
    epoch_ = epoch;
    begun_ = false;
  }

  std::unique_ptr<BatchStream> stream_;
  std::vector<std::int64_t> bytes_;
  /// Of the last mini-batch, then those of the samples that they are mixed with.
  std::vector<std::int64_t> indices_;
  std::vector<std::int64_t> previous_indices_;  ///< of the one before it
  std::vector<ReadPart> parts_;                 ///< of the last mini-batch
  PhaseSizes sizes_;
  ExecutionMode mode_;
  std::int64_t epoch_ = -1;  ///< that the stream prefetches or returns
  bool begun_ = false;       ///< whether a mini-batch of it has been returned
};

}  // namespace

Result<Feeds> open_feeds(Plan const& plan, FeedOptions const& options) {
  OpenContext context{{options.data_root}, {}, options.python};
  context.decode_image = decode_image;
  context.trainer = options.trainer_number;
  Feeds feeds;
  auto const staging = staging_of(options.staging, plan.staging);
  if (!staging) return staging.problem();
  if (!staging.value().folder.empty()) {
    auto staged = StagedFiles::open(staging.value(), options.rank_on_node, options.ranks_on_node);
    if (!staged) return staged.problem();
    feeds.staged = feeds.end.staged = std::move(staged).value();
    context.staging = feeds.staged.get();
  }
  if (options.store.used && options.trainer != nullptr) {
    auto stored = StoredData::reserve(options.store, options.ranks_on_node);
    if (!stored) return stored.problem();
    feeds.stored = std::move(stored).value();
  }
  auto splits = open_splits(plan, context, options.rank == 0,
                            feeds.stored ? &feeds.stored->options() : nullptr);
  if (!splits) return splits.problem();
  std::array<std::int64_t, run_modes> samples{};
  for (auto const& split : splits.value())
    if (auto const role = static_cast<std::size_t>(split.role); role < samples.size())
      samples[role] = static_cast<std::int64_t>(split.indices.size());
  feeds.sizes = PhaseSizes(plan, samples);
  for (auto& split : splits.value()) {
    auto const role = static_cast<std::size_t>(split.role);
    if (role >= feeds.phases.size()) continue;  // tournament data is not used here
    auto const mode = static_cast<ExecutionMode>(role);
    auto const& source = *split.source;
    if (feeds.phases[role]) {
      return Problem{located(plan.sources, source.reader.span,
                             "a second reader for role " + reader_role(mode))};
    }
    BatchStream::Options stream_options;
    stream_options.seed = options.seed;
    stream_options.rank = options.rank;
    stream_options.ranks = options.ranks;
    stream_options.cuts = options.cuts.empty() ? std::vector{options.ranks} : options.cuts;
    stream_options.threads = options.io_threads;
    if (device::has_own_memory()) stream_options.allocate = &allocate_pinned;
    if (split.indices.empty()) continue;
    stream_options.mini_batch = feeds.sizes.largest_micro_batch(mode);
    bool const has_store = split.store != nullptr;
    if (feeds.stored) feeds.stored->add(split);
    if (has_store)
      stream_options.exchange =
          feeds.stored->exchange(split, *options.trainer, stream_options.batches_ahead,
                                 stream_options.mini_batch, stream_options.cuts);
    auto stream = BatchStream::open(plan, std::move(split), stream_options);
    if (!stream) return stream.problem();
    std::unique_ptr<Feed> feed = std::make_unique<StreamFeed>(
        std::move(stream).value(), feeds.sizes, mode,
        nested_part(stream_options.mini_batch, stream_options.cuts, options.rank).size, !has_store);
    if (mode == ExecutionMode::training) feed = with_planted_fault(std::move(feed), options.rank);
    feeds.phases[role].emplace(std::move(feed), feeds.sizes, mode, source);
  }
  if (feeds.staged)
    if (auto started = feeds.staged->start(); !started) return started.problem();
  return feeds;
}

}  // namespace lbann::runtime
