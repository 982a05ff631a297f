// Batch streams as feeds: from staging buffers to the inputs, an epoch prepared while another ends.
#include "runtime/training/feeds.hpp"

#include <algorithm>
#include <cstring>

#include "runtime/data/batch_stream.hpp"
#include "runtime/data/readers.hpp"
#include "runtime/execution/planted_fault.hpp"
#include "runtime/loading/location.hpp"
#include "schemas/specialization/specialize.hpp"

namespace lbann::runtime {

namespace {

class StreamFeed final : public Feed {
 public:
  /// `largest`: the most samples of a mini-batch on this rank.
  StreamFeed(std::unique_ptr<BatchStream> stream, std::int64_t largest)
      : stream_(std::move(stream)), bytes_(stream_->field_bytes()), batches_(stream_->batches()) {
    indices_.reserve(static_cast<std::size_t>(largest));
    stream_->start_epoch(0);
  }

  void begin(std::int64_t epoch) override {
    if (epoch != epoch_ || touched_) stream_->start_epoch(epoch);
    epoch_ = epoch;
    touched_ = false;
  }

  Result<MiniBatch> next(std::span<std::byte* const> fields) override {
    auto batch = stream_->next();
    if (!batch) return batch.problem();
    if (batch.value() == nullptr) return Problem{"an epoch has fewer mini-batches than announced"};
    touched_ = true;
    auto const samples = batch.value()->local_size;
    auto const& taken = *batch.value();
    indices_.assign(taken.indices.begin(), taken.indices.end());
    MiniBatch const result{taken.size,       samples,        taken.first_sample,
                           taken.read_begin, taken.read_end, taken.thread,
                           indices_};
    for (std::size_t i = 0; i < fields.size(); ++i) {
      if (fields[i] == nullptr || samples == 0) continue;
      std::memcpy(fields[i], batch.value()->fields[i],
                  static_cast<std::size_t>(bytes_[i] * samples));
    }
    if (batch.value()->number + 1 == batches_) {
      // All is copied: the threads may go on while this epoch is computed and reported.
      stream_->start_epoch(++epoch_);
      touched_ = false;
    }
    return result;
  }

 private:
  std::unique_ptr<BatchStream> stream_;
  std::vector<std::int64_t> bytes_;
  std::vector<std::int64_t> indices_;  ///< of the mini-batch given last
  std::int64_t batches_;
  std::int64_t epoch_ = 0;  ///< that the stream prepares or gives
  bool touched_ = false;    ///< whether some of it has been taken
};

/// Fails when it has given so many mini-batches.
class FailingFeed final : public Feed {
 public:
  FailingFeed(std::unique_ptr<Feed> feed, std::int64_t times)
      : feed_(std::move(feed)), left_(times) {}
  void begin(std::int64_t epoch) override { feed_->begin(epoch); }
  Result<MiniBatch> next(std::span<std::byte* const> fields) override {
    if (left_-- <= 0) return Problem{"a mini-batch cannot be read: a planted fault"};
    return feed_->next(fields);
  }

 private:
  std::unique_ptr<Feed> feed_;
  std::int64_t left_;
};

}  // namespace

std::int64_t Feeds::largest_mini_batch() const {
  std::int64_t largest = 1;
  for (auto const& size : sizes) largest = std::max(largest, size.mini_batch);
  return largest;
}

Result<Feeds> open_feeds(Plan const& plan, FeedOptions const& options) {
  auto splits = open_splits(plan, {options.data_root, options.python});
  if (!splits) return splits.problem();
  Feeds feeds;
  for (auto& split : splits.value()) {
    auto const mode = static_cast<std::size_t>(split.role);
    if (mode >= feeds.phases.size()) continue;  // tournaments come with populations
    auto const& source = *split.source;
    if (feeds.phases[mode]) {
      return Problem{located(plan.sources, source.reader.span,
                             "a second reader for role " + std::string(data_role_names[mode]))};
    }
    BatchStream::Options stream_options;
    stream_options.seed = options.seed;
    stream_options.rank = options.rank;
    stream_options.ranks = options.ranks;
    stream_options.threads = options.io_threads;
    auto const samples = static_cast<std::int64_t>(split.indices.size());
    if (samples == 0) continue;
    stream_options.mini_batch = std::min(plan.mini_batch_size, samples);
    auto stream = BatchStream::open(plan, std::move(split), stream_options);
    if (!stream) return stream.problem();
    feeds.sizes[mode] = {samples, stream_options.mini_batch};
    std::unique_ptr<Feed> feed = std::make_unique<StreamFeed>(
        std::move(stream).value(),
        local_samples(stream_options.mini_batch, options.ranks, options.rank));
    if (auto const fault = planted_fault(PlantedFault::read, options.rank);
        fault && split.role == DataRole::train)
      feed = std::make_unique<FailingFeed>(std::move(feed), *fault);
    feeds.phases[mode].emplace(std::move(feed), feeds.sizes[mode], source);
  }
  return feeds;
}

}  // namespace lbann::runtime
