// Splits and streams: every sample once, in the order of the epoch, for every rank and any threads.
#include "runtime/data/batch_stream.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <numeric>
#include <set>
#include <thread>

#include "tests/support/contains.hpp"
#include "tests/support/small_plan.hpp"

using namespace lbann;
using namespace lbann::runtime;
using testing::contains;

namespace {

/// The small plan's fields: `samples` [6] hold their number, `labels` [3] its negative.
class NumberedSamples final : public Samples {
 public:
  NumberedSamples(std::int64_t count, std::int64_t bad = -1) : count_(count), bad_(bad) {}
  std::int64_t count() const override { return count_; }
  std::vector<GivenField> const& fields() const override { return fields_; }
  Result<Success> read(std::int64_t index, std::size_t field,
                       FieldValues const& values) const override {
    if (index == bad_) return Problem{"it is torn"};
    if (slow && index % 7 == 0) std::this_thread::sleep_for(std::chrono::milliseconds(1));
    ++reads;
    for (std::int64_t i = 0; i < values.count; ++i)
      values.set(i, static_cast<double>(field == 0 ? index : -index));
    return Success{};
  }
  mutable std::atomic<std::int64_t> reads{0};
  bool slow = false;

 private:
  std::int64_t count_, bad_;
  std::vector<GivenField> fields_ = {{"samples", {6}}, {"labels", {3}}};
};

Split split_of(Plan const& plan, std::shared_ptr<Samples> samples, bool shuffle) {
  Split split{ExecutionMode::training, &plan.data[0], samples, {}, shuffle, {0, 1}};
  split.indices.resize(static_cast<std::size_t>(samples->count()));
  std::iota(split.indices.begin(), split.indices.end(), std::int64_t{0});
  return split;
}

std::unique_ptr<BatchStream> open(Plan const& plan, Split split, BatchStream::Options options) {
  auto stream = BatchStream::open(plan, std::move(split), options);
  if (!stream) FAIL(stream.problem().message);
  return std::move(stream).value();
}

/// NumberedSamples of the samples in the order they come.
std::vector<std::int64_t> epoch_of(BatchStream& stream, std::int64_t epoch) {
  std::vector<std::int64_t> order;
  stream.start_epoch(epoch);
  for (auto batch = stream.next(); batch.good() && batch.value() != nullptr;
       batch = stream.next()) {
    auto const& b = *batch.value();
    auto const* samples = reinterpret_cast<float const*>(b.fields[0]);
    auto const* labels = reinterpret_cast<float const*>(b.fields[1]);
    for (std::int64_t i = 0; i < b.local_size; ++i) {
      for (int k = 0; k < 6; ++k) CHECK(samples[6 * i + k] == samples[6 * i]);
      for (int k = 0; k < 3; ++k) CHECK(labels[3 * i + k] == -samples[6 * i]);
      order.push_back(static_cast<std::int64_t>(samples[6 * i]));
    }
  }
  return order;
}

}  // namespace

TEST_CASE("a stream gives every sample once, whatever its threads") {
  auto const plan = tests::small_plan();
  for (std::int64_t threads : {1, 2, 5})
    for (std::int64_t ahead : {1, 2, 7})
      for (std::int64_t count : {1, 16, 17, 103}) {
        auto const numbers = std::make_shared<NumberedSamples>(count);
        auto stream =
            open(plan, split_of(plan, numbers, true),
                 {.mini_batch = 8, .seed = 5, .threads = threads, .batches_ahead = ahead});
        CHECK(stream->samples() == count);
        CHECK(stream->batches() == (count + 7) / 8);
        std::vector<std::vector<std::int64_t>> orders;
        for (std::int64_t epoch : {0, 1, 0}) orders.push_back(epoch_of(*stream, epoch));
        CHECK(orders[0] == orders[2]);
        if (count > 8) CHECK(orders[0] != orders[1]);
        for (auto order : orders) {
          std::ranges::sort(order);
          std::vector<std::int64_t> all(static_cast<std::size_t>(count));
          std::iota(all.begin(), all.end(), std::int64_t{0});
          CHECK(order == all);
        }
      }
}

TEST_CASE("epochs have mini-batches of sizes of their own") {
  auto const plan = tests::small_plan();
  auto stream = open(plan, split_of(plan, std::make_shared<NumberedSamples>(19), true),
                     {.mini_batch = 8, .seed = 3, .threads = 2});
  auto const order = epoch_of(*stream, 2);
  for (std::int64_t const size : {3, 8, 1, 5}) {
    stream->start_epoch(2, size);
    CHECK(stream->batches() == (19 + size - 1) / size);
    std::vector<std::int64_t> again;
    for (auto batch = stream->next(); batch.value() != nullptr; batch = stream->next()) {
      auto const& b = *batch.value();
      CHECK(b.size == std::min<std::int64_t>(size, 19 - b.first_sample));
      auto const* samples = reinterpret_cast<float const*>(b.fields[0]);
      for (std::int64_t i = 0; i < b.local_size; ++i)
        again.push_back(static_cast<std::int64_t>(samples[6 * i]));
    }
    CHECK(again == order);
  }
}

TEST_CASE("the last mini-batch keeps its true size") {
  auto const plan = tests::small_plan();
  auto stream =
      open(plan, split_of(plan, std::make_shared<NumberedSamples>(19), false), {.mini_batch = 8});
  stream->start_epoch(0);
  std::vector<std::int64_t> sizes, firsts;
  for (auto batch = stream->next(); batch.value() != nullptr; batch = stream->next()) {
    sizes.push_back(batch.value()->size);
    firsts.push_back(batch.value()->first_sample);
  }
  CHECK(sizes == std::vector<std::int64_t>{8, 8, 3});
  CHECK(firsts == std::vector<std::int64_t>{0, 8, 16});
  CHECK(stream->next().value() == nullptr);
  CHECK(epoch_of(*stream, 1)[18] == 18);
}

TEST_CASE("ranks share every mini-batch of the same order") {
  auto const plan = tests::small_plan();
  auto whole = open(plan, split_of(plan, std::make_shared<NumberedSamples>(21), true),
                    {.mini_batch = 8, .seed = 3});
  auto const expected = epoch_of(*whole, 4);
  for (std::int64_t ranks : {2, 3, 11}) {
    std::vector<std::int64_t> together(21, -1);
    std::int64_t reads = 0;
    for (std::int64_t rank = 0; rank < ranks; ++rank) {
      auto const numbers = std::make_shared<NumberedSamples>(21);
      auto stream = open(plan, split_of(plan, numbers, true),
                         {.mini_batch = 8, .seed = 3, .rank = rank, .ranks = ranks});
      stream->start_epoch(4);
      for (auto batch = stream->next(); batch.value() != nullptr; batch = stream->next()) {
        auto const& b = *batch.value();
        CHECK(b.size == std::min<std::int64_t>(8, 21 - 8 * b.number));
        for (std::int64_t i = 0; i < b.local_size; ++i)
          together[static_cast<std::size_t>(b.first_sample + i)] =
              static_cast<std::int64_t>(reinterpret_cast<float const*>(b.fields[0])[6 * i]);
      }
      reads += numbers->reads;
    }
    CHECK(together == expected);
    CHECK(reads == 2 * 21);  // nobody reads what another rank computes
  }
}

TEST_CASE("an epoch can be left at any batch") {
  auto const plan = tests::small_plan();
  auto const numbers = std::make_shared<NumberedSamples>(103);
  numbers->slow = true;
  auto stream = open(plan, split_of(plan, numbers, true), {.mini_batch = 4, .threads = 3});
  auto const expected = epoch_of(*stream, 9);
  for (int taken = 0; taken < 12; ++taken) {
    stream->start_epoch(taken);
    for (int i = 0; i < taken; ++i) REQUIRE(stream->next().value() != nullptr);
    CHECK(epoch_of(*stream, 9) == expected);
  }
  stream->start_epoch(3);  // and the stream can end with batches in the making
}

TEST_CASE("a stream that nobody reads ends, and one without epoch gives nothing") {
  auto const plan = tests::small_plan();
  auto stream =
      open(plan, split_of(plan, std::make_shared<NumberedSamples>(50), true), {.mini_batch = 4});
  CHECK(stream->next().value() == nullptr);
  stream->start_epoch(0);
  stream.reset();
}

TEST_CASE("batches are prepared ahead, but no further than there are buffers") {
  auto const plan = tests::small_plan();
  auto const numbers = std::make_shared<NumberedSamples>(80);
  auto stream = open(plan, split_of(plan, numbers, false), {.mini_batch = 4, .batches_ahead = 3});
  stream->start_epoch(0);
  for (int wait = 0; wait < 30000 && numbers->reads < 2 * 12; ++wait)
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
  CHECK(numbers->reads == 2 * 12);
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  CHECK(numbers->reads == 2 * 12);
  REQUIRE(stream->next().value() != nullptr);
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  CHECK(numbers->reads == 2 * 12);  // the batch handed out is still in use
}

TEST_CASE("a thread's problem comes with its batch and names the line") {
  auto const plan = tests::small_plan();
  auto stream = open(plan, split_of(plan, std::make_shared<NumberedSamples>(12, 6), false),
                     {.mini_batch = 4});
  stream->start_epoch(0);
  CHECK(stream->next().value() != nullptr);
  auto const torn = stream->next();
  REQUIRE_FALSE(torn.good());
  CHECK(contains(torn.problem().message, "small.yaml:1:1"));
  CHECK(contains(torn.problem().message, "sample 6"));
  CHECK(contains(torn.problem().message, "torn"));
  CHECK(stream->next().value() != nullptr);
}
