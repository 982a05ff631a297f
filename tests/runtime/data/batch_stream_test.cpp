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

/// Numbered samples whose reads wait until so many threads read at the same time.
class MeetingSamples final : public Samples {
 public:
  explicit MeetingSamples(std::int64_t threads) : threads_(threads) {}
  std::int64_t count() const override { return 60; }
  std::vector<GivenField> const& fields() const override { return fields_; }
  Result<Success> read(std::int64_t index, std::size_t, FieldValues const& values) const override {
    ++inside_;
    for (int wait = 0; wait < 30000 && !met; ++wait) {
      if (inside_ >= threads_) met = true;
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    --inside_;
    for (std::int64_t i = 0; i < values.count; ++i) values.set(i, static_cast<double>(index));
    return Success{};
  }
  bool takes_whole_batches() const override { return whole; }
  mutable std::atomic<bool> met{false};
  bool whole = false;

 private:
  std::int64_t threads_;
  mutable std::atomic<std::int64_t> inside_{0};
  std::vector<GivenField> fields_ = {{"samples", {6}}, {"labels", {3}}};
};

/// Of samples with a multiple of 5 `samples` are torn, of those with a multiple of 7 `labels`.
class TornSamples final : public Samples {
 public:
  std::int64_t count() const override { return 64; }
  std::vector<GivenField> const& fields() const override { return fields_; }
  Result<Success> read(std::int64_t index, std::size_t field, FieldValues const&) const override {
    if (index % (field == 0 ? 5 : 7) == 0) return Problem{"it is torn"};
    return Success{};
  }

 private:
  std::vector<GivenField> fields_ = {{"samples", {6}}, {"labels", {3}}};
};

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

TEST_CASE("all threads read for the same mini-batch") {
  auto const plan = tests::small_plan();
  auto const meeting = std::make_shared<MeetingSamples>(3);
  auto stream = open(plan, split_of(plan, meeting, false), {.mini_batch = 60, .threads = 3});
  stream->start_epoch(0);
  auto const batch = stream->next();
  REQUIRE(batch.value() != nullptr);
  CHECK(meeting->met);
  std::set<std::int64_t> threads;
  std::int64_t samples = 0;
  for (auto const& part : batch.value()->parts) {
    if (part.samples > 0) threads.insert(part.thread);
    samples += part.samples;
  }
  CHECK(threads == std::set<std::int64_t>{0, 1, 2});
  CHECK(samples == 60);
}

TEST_CASE("a reader that shares out mini-batches itself gets them whole") {
  auto const plan = tests::small_plan();
  auto const whole = std::make_shared<MeetingSamples>(1);
  whole->whole = true;
  auto stream = open(plan, split_of(plan, whole, false), {.mini_batch = 60, .threads = 3});
  CHECK(stream->parts() == 1);
  stream->start_epoch(0);
  CHECK(stream->next().value()->parts[0].samples == 60);
}

TEST_CASE("the first torn sample of a mini-batch is named, whatever the threads") {
  auto const plan = tests::small_plan();
  for (std::int64_t const mini_batch : {1, 3, 30, 64})
    for (std::int64_t const threads : {1, 2, 5}) {
      auto split = split_of(plan, std::make_shared<TornSamples>(), false);
      std::ranges::reverse(split.indices);
      auto const order = split.indices;
      auto stream = open(plan, std::move(split), {.mini_batch = mini_batch, .threads = threads});
      stream->start_epoch(0);
      for (std::int64_t begin = 0; begin < 64; begin += mini_batch) {
        auto const batch = std::span(order).subspan(
            static_cast<std::size_t>(begin),
            static_cast<std::size_t>(std::min<std::int64_t>(mini_batch, 64 - begin)));
        auto const torn = std::ranges::find_if(
            batch, [](auto index) { return index % 5 == 0 || index % 7 == 0; });
        auto const found = stream->next();
        REQUIRE(found.good() == (torn == batch.end()));
        if (!found)
          CHECK(contains(found.problem().message, "sample " + std::to_string(*torn) + ":"));
      }
    }
}

TEST_CASE("labels by the place in the mini-batch are the same on any ranks and threads") {
  auto const plan = tests::small_plan();
  for (std::int64_t const ranks : {1, 2, 3, 5})
    for (std::int64_t const threads : {1, 3}) {
      CAPTURE(ranks);
      CAPTURE(threads);
      std::vector<std::vector<bool>> of_batches(3);  // 7, 7 and 3 samples
      for (std::int64_t rank = 0; rank < ranks; ++rank) {
        auto split = split_of(plan, std::make_shared<NumberedSamples>(17), true);
        split.halved_labels = 1;
        auto const stream = open(plan, std::move(split), {7, 1, rank, ranks, threads});
        stream->start_epoch(2);
        for (auto batch = stream->next(); batch.value() != nullptr; batch = stream->next())
          for (std::int64_t i = 0; i < batch.value()->local_size; ++i) {
            auto const* labels = reinterpret_cast<float const*>(batch.value()->fields[1]) + 3 * i;
            bool const is_one = labels[0] == 0 && labels[1] == 1 && labels[2] == 0;
            if (!is_one) CHECK(labels[1] == labels[0]);
            of_batches[static_cast<std::size_t>(batch.value()->number)].push_back(is_one);
          }
      }
      CHECK(of_batches[0] == std::vector<bool>{true, true, true, false, false, false, false});
      CHECK(of_batches[1] == of_batches[0]);
      CHECK(of_batches[2] == std::vector<bool>{true, false, false});
    }
}
