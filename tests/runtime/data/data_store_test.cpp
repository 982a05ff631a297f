// Stores of ranks that are threads here: each sample is read once, and comes with the same bits.
#include "runtime/data/data_store.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <barrier>
#include <cmath>
#include <cstring>
#include <deque>
#include <functional>
#include <map>
#include <mutex>
#include <numeric>
#include <thread>

#include "runtime/data/store_exchange.hpp"
#include "tests/support/contains.hpp"
#include "tests/support/small_plan.hpp"

using namespace lbann;
using namespace lbann::runtime;
using testing::contains;

namespace {

/// The small plan's fields: `samples` [6], `labels` [3], of values that no f32 holds.
class CountedSamples final : public Samples {
 public:
  explicit CountedSamples(std::int64_t count, std::int64_t bad = -1) : count_(count), bad_(bad) {}
  std::int64_t count() const override { return count_; }
  std::vector<GivenField> const& fields() const override { return fields_; }
  Result<Success> read(std::int64_t index, std::size_t field,
                       FieldValues const& values) const override {
    if (index == bad_) return Problem{"it is torn"};
    ++reads;
    for (std::int64_t i = 0; i < values.count; ++i) values.set(i, value(index, field, i));
    return Success{};
  }
  static double value(std::int64_t index, std::size_t field, std::int64_t i) {
    return std::sqrt(static_cast<double>(index + 1)) + static_cast<double>(field) + 0.1 * double(i);
  }
  mutable std::atomic<std::int64_t> reads{0};

 private:
  std::int64_t count_, bad_;
  std::vector<GivenField> fields_ = {{"samples", {6}}, {"labels", {3}}};
};

/// What the threads of a `ThreadRank` share.
struct Meeting {
  explicit Meeting(std::int64_t ranks) : meet(ranks), sums(static_cast<std::size_t>(ranks)) {}
  std::barrier<> meet;
  std::vector<std::vector<std::int64_t>> sums;
  std::mutex mutex;
  std::map<std::pair<std::int64_t, std::int64_t>, std::deque<std::vector<std::byte>>> mail;
};

/// Messages that arrive at the second look.
class ThreadMessages final : public Messages {
 public:
  ThreadMessages(Meeting& meeting, std::int64_t rank) : meeting_(meeting), rank_(rank) {}
  void send(std::int64_t to, std::span<std::byte const> bytes) override {
    std::lock_guard const lock(meeting_.mutex);
    meeting_.mail[{rank_, to}].emplace_back(bytes.begin(), bytes.end());
  }
  void receive(std::int64_t from, std::span<std::byte> bytes) override {
    wanted_.push_back({from, bytes});
    looked_ = false;
  }
  bool arrived() override {
    if (!std::exchange(looked_, true)) return wanted_.empty();
    std::lock_guard const lock(meeting_.mutex);
    while (!wanted_.empty()) {
      auto& mail = meeting_.mail[{wanted_.front().first, rank_}];
      if (mail.empty()) return false;
      REQUIRE(mail.front().size() == wanted_.front().second.size());
      std::ranges::copy(mail.front(), wanted_.front().second.begin());
      mail.pop_front();
      wanted_.pop_front();
    }
    return true;
  }

 private:
  Meeting& meeting_;
  std::int64_t rank_;
  std::deque<std::pair<std::int64_t, std::span<std::byte>>> wanted_;
  bool looked_ = true;
};

class ThreadRank final : public Communicator {
 public:
  ThreadRank(Meeting& meeting, std::int64_t rank) : meeting_(meeting), rank_(rank) {}
  std::int64_t rank() const override { return rank_; }
  std::int64_t size() const override { return static_cast<std::int64_t>(meeting_.sums.size()); }
  void all_reduce(void* data, std::int64_t count, DataType type) override {
    auto& mine = meeting_.sums[static_cast<std::size_t>(rank_)];
    mine.resize(static_cast<std::size_t>(count));
    for (std::int64_t i = 0; i < count; ++i)
      mine[static_cast<std::size_t>(i)] = type == DataType::i32
                                              ? static_cast<std::int32_t*>(data)[i]
                                              : static_cast<std::int64_t*>(data)[i];
    meeting_.meet.arrive_and_wait();
    std::vector<std::int64_t> sum(static_cast<std::size_t>(count));
    for (auto const& one : meeting_.sums)
      std::ranges::transform(sum, one, sum.begin(), std::plus<>{});
    for (std::int64_t i = 0; i < count; ++i)
      if (type == DataType::i32)
        static_cast<std::int32_t*>(data)[i] =
            static_cast<std::int32_t>(sum[static_cast<std::size_t>(i)]);
      else
        static_cast<std::int64_t*>(data)[i] = sum[static_cast<std::size_t>(i)];
    meeting_.meet.arrive_and_wait();
  }
  std::unique_ptr<Messages> messages(std::int64_t) override {
    return std::make_unique<ThreadMessages>(meeting_, rank_);
  }
  void broadcast(std::span<std::byte>, std::int64_t) override {}
  std::vector<std::vector<std::byte>> gather(std::span<std::byte const>) override { return {}; }
  void barrier() override {}
  std::unique_ptr<Transfer> sum(void const*, void*, std::int64_t, DataType) override { return {}; }
  std::unique_ptr<Communicator> split(std::int64_t) override { return {}; }
  std::unique_ptr<Communicator> on_this_node() override { return {}; }
  bool on_one_node() override { return true; }
  std::unique_ptr<SharedMemory> share(std::int64_t) override { return {}; }

 private:
  Meeting& meeting_;
  std::int64_t rank_;
};

struct StoreCase {
  std::int64_t ranks = 1, samples = 21, mini_batch = 8, threads = 2;
  std::int64_t bytes = 1 << 20;  ///< of memory on each rank
  bool preloads = false;
  int epochs = 3;
};

struct StoreResult {
  std::vector<std::int64_t> reads;  ///< of a field, per rank
  std::vector<StoreCounts> counts;
  std::int64_t wrong = 0;  ///< values other than the reader's own
  std::int64_t samples = 0;
};

/// What one rank finds in all epochs.
void run_rank(StoreCase const& made, Plan const& plan, Meeting& meeting, std::int64_t rank,
              StoreResult& result, std::mutex& mutex) {
  ThreadRank ranks(meeting, rank);
  auto const samples = std::make_shared<CountedSamples>(made.samples);
  StoreOptions const options{StoreMemory::reserve(made.bytes).value(), made.preloads};
  auto const store = std::make_shared<DataStore>(samples, options);
  auto const counts = std::make_shared<StoreCounts>();
  Split split{ExecutionMode::training, &plan.data[0], store, {}, true, {0, 1}, store};
  split.indices.resize(static_cast<std::size_t>(made.samples));
  std::iota(split.indices.begin(), split.indices.end(), std::int64_t{0});
  if (made.preloads) REQUIRE(store->preload(split.indices, made.threads, ranks).good());
  BatchStream::Options stream_options{.mini_batch = made.mini_batch,
                                      .seed = 3,
                                      .rank = rank,
                                      .ranks = made.ranks,
                                      .threads = made.threads,
                                      .batches_ahead = 3};
  stream_options.exchange =
      std::make_shared<StoreExchange>(store, ranks, 3, made.mini_batch, counts);
  auto opened = BatchStream::open(plan, split, stream_options);
  REQUIRE(opened.good());
  auto& stream = *opened.value();
  std::int64_t wrong = 0, seen = 0;
  for (int epoch = 0; epoch < made.epochs; ++epoch) {
    stream.start_epoch(epoch);
    for (auto batch = stream.next(); batch.value() != nullptr; batch = stream.next())
      for (std::int64_t i = 0; i < batch.value()->local_size; ++i, ++seen)
        for (std::size_t field : {0, 1})
          for (std::int64_t k = 0; k < (field == 0 ? 6 : 3); ++k) {
            auto const* const values = reinterpret_cast<float const*>(batch.value()->fields[field]);
            auto const index = batch.value()->indices[static_cast<std::size_t>(i)];
            if (values[i * (field == 0 ? 6 : 3) + k] !=
                static_cast<float>(CountedSamples::value(index, field, k)))
              ++wrong;
          }
  }
  opened.value().reset();
  std::lock_guard const lock(mutex);
  result.reads[static_cast<std::size_t>(rank)] = samples->reads;
  result.counts[static_cast<std::size_t>(rank)] = *counts;
  result.wrong += wrong;
  result.samples += seen;
}

StoreResult run_ranks(StoreCase const& made) {
  auto const plan = tests::small_plan();
  Meeting meeting(made.ranks);
  auto const many = static_cast<std::size_t>(made.ranks);
  StoreResult result{std::vector<std::int64_t>(many), std::vector<StoreCounts>(many)};
  std::mutex mutex;
  std::vector<std::jthread> threads;
  for (std::int64_t rank = 0; rank < made.ranks; ++rank)
    threads.emplace_back([&, rank] { run_rank(made, plan, meeting, rank, result, mutex); });
  threads.clear();
  CHECK(result.wrong == 0);
  CHECK(result.samples == made.samples * made.epochs);
  return result;
}

std::int64_t sum_of(std::vector<std::int64_t> const& values) {
  return std::accumulate(values.begin(), values.end(), std::int64_t{0});
}

}  // namespace

TEST_CASE("a data store reads each sample once, on one of the ranks") {
  for (std::int64_t const ranks : {1, 2, 3, 11})
    for (bool const preloads : {false, true})
      for (std::int64_t const mini_batch : {1, 8, 21}) {
        auto const found =
            run_ranks({.ranks = ranks, .mini_batch = mini_batch, .preloads = preloads});
        CHECK(sum_of(found.reads) == 2 * 21);  // both fields
        StoreCounts all;
        for (auto const& one : found.counts) {
          all.own += one.own;
          all.received += one.received;
          all.read += one.read;
        }
        CHECK(all.own + all.received + all.read == 3 * 21);
        CHECK(all.read == (preloads ? 0 : 21));
        if (ranks == 1) CHECK(all.received == 0);
        if (ranks > 1 && mini_batch > 1) CHECK(all.received > 0);
      }
}

TEST_CASE("a data store that is full leaves the rest where it is") {
  // A sample is two heads of 24 bytes and two dims of 8, six and three values of 8.
  constexpr std::int64_t of_sample = 2 * 32 + 9 * 8;
  for (std::int64_t const ranks : {1, 2})
    for (bool const preloads : {false, true})
      for (std::int64_t const kept : {0, 1, 4}) {
        auto const found = run_ranks({.ranks = ranks,
                                      .threads = 1,
                                      .bytes = std::max<std::int64_t>(1, kept * of_sample + 5),
                                      .preloads = preloads});
        // What finds no room is read in vain, once on a rank.
        auto const rest = 21 - ranks * kept;
        CHECK(sum_of(found.reads) == 2 * (ranks * kept + ranks + (preloads ? 3 : 3) * rest));
      }
}

TEST_CASE("a data store tells of the first sample that cannot be read before the first epoch") {
  auto const samples = std::make_shared<CountedSamples>(30, 17);
  DataStore store(samples, {StoreMemory::reserve(1 << 20).value(), true});
  std::vector<std::int64_t> indices(30);
  std::iota(indices.begin(), indices.end(), std::int64_t{0});
  auto const ranks = single_process();
  auto const loaded = store.preload(indices, 3, *ranks);
  REQUIRE_FALSE(loaded.good());
  CHECK(contains(loaded.problem().message, "sample 17: it is torn"));
}

TEST_CASE("memory that no address space is left for is a problem") {
  auto const memory = StoreMemory::reserve(std::int64_t{1} << 60);
  REQUIRE_FALSE(memory.good());
  CHECK(contains(memory.problem().message, "--data-store-limit"));
}
