// Kept samples: drawn once, the same values ever after, also for many threads; large sets pass
// through.
#include <doctest/doctest.h>

#include <atomic>
#include <thread>

#include "runtime/data/kept_samples.hpp"

using namespace lbann;
using namespace lbann::runtime;

namespace {

class Counting final : public Samples {
 public:
  Counting(std::int64_t count, std::int64_t elements)
      : count_(count), fields_{{"samples", {elements}}, {"open", {}}, {"wide", {2, 0}}} {}
  std::int64_t count() const override { return count_; }
  std::vector<GivenField> const& fields() const override { return fields_; }
  Result<Success> read(std::int64_t index, std::size_t, FieldValues const& values) const override {
    ++reads;
    if (index == failing) return Problem{"unreadable"};
    for (std::int64_t i = 0; i < values.count; ++i) values.set(i, 10 * double(index) + double(i));
    return Success{};
  }
  Result<Success> read_whole(std::int64_t index, std::size_t field,
                             SampleValues& sample) const override {
    if (field == 0) return Samples::read_whole(index, field, sample);
    sample.dims = {1};
    sample.values = {100 + double(index)};
    return Success{};
  }

  mutable std::atomic<int> reads = 0;
  std::int64_t failing = -1;

 private:
  std::int64_t count_;
  std::vector<GivenField> fields_;
};

}  // namespace

TEST_CASE("kept samples are read once and stay the same") {
  auto const source = std::make_shared<Counting>(7, 3);
  auto const samples = keep(source);
  REQUIRE(samples->count() == 7);
  for (int epoch = 0; epoch < 3; ++epoch)
    for (std::int64_t index = 0; index < 7; ++index) {
      float values[3] = {};
      REQUIRE(samples->read(index, 0, {values, DataType::f32, 3}).good());
      for (int i = 0; i < 3; ++i) CHECK(values[i] == 10 * float(index) + float(i));
    }
  CHECK(source->reads == 7);
}

TEST_CASE("kept samples: fields without dims of their own pass through") {
  auto const source = std::make_shared<Counting>(7, 3);
  auto const samples = keep(source);
  REQUIRE(samples != source);
  for (std::size_t const field : {1, 2}) {
    source->reads = 0;
    for (int epoch = 1; epoch < 4; ++epoch) {
      double values[2] = {};
      REQUIRE(samples->read(5, field, {values, DataType::f64, 2}).good());
      CHECK(values[1] == 51);
      CHECK(source->reads == epoch);
    }
    SampleValues whole;
    REQUIRE(samples->read_whole(5, field, whole).good());
    CHECK(whole.values == std::vector<double>{105});
  }
}

TEST_CASE("kept samples: each type gets its own values") {
  auto const samples = keep(std::make_shared<Counting>(2, 2));
  double exact[2];
  float rounded[2];
  for (int i = 0; i < 2; ++i) {
    REQUIRE(samples->read(1, 0, {exact, DataType::f64, 2}).good());
    REQUIRE(samples->read(1, 0, {rounded, DataType::f32, 2}).good());
    CHECK(exact[1] == 11);
    CHECK(rounded[1] == 11);
  }
}

TEST_CASE("kept samples: a sample that cannot be read is not kept") {
  auto const source = std::make_shared<Counting>(3, 2);
  source->failing = 1;
  auto const samples = keep(source);
  double values[2] = {};
  for (int i = 0; i < 2; ++i) CHECK_FALSE(samples->read(1, 0, {values, DataType::f64, 2}).good());
  CHECK(source->reads == 2);
}

TEST_CASE("kept samples: many threads get whole samples") {
  auto const samples = keep(std::make_shared<Counting>(50, 1000));
  std::atomic<int> wrong = 0;
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t)
    threads.emplace_back([&] {
      std::vector<double> values(1000);
      for (int round = 0; round < 20; ++round)
        for (std::int64_t index = 0; index < 50; ++index) {
          auto const done = samples->read(index, 0, {values.data(), DataType::f64, 1000});
          for (int i = 0; i < 1000; ++i)
            if (!done || values[std::size_t(i)] != 10 * double(index) + i) ++wrong;
        }
    });
  for (auto& thread : threads) thread.join();
  CHECK(wrong == 0);
}

TEST_CASE("sets that are too large are not kept") {
  auto const source = std::make_shared<Counting>(most_kept_bytes / 8 + 1, 1);
  CHECK(keep(source) == source);
}
