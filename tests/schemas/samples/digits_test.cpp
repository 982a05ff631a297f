// Drawn digits: functions of their number, of all classes, legible but not trivial.
#include <doctest/doctest.h>

#include <array>
#include <cmath>
#include <thread>
#include <vector>

#include "schemas/samples/open_samples.hpp"

using namespace lbann;

namespace {

std::shared_ptr<Samples const> open_digits(ExecutionMode role, std::int64_t count,
                                           std::int64_t seed = 0, std::int64_t size = 28) {
  data_readers::digits reader;
  reader.role = role;
  reader.num_samples = count;
  reader.seed = seed;
  reader.size = size;
  auto samples = load_samples(reader, {}, true);
  REQUIRE(samples.good());
  return std::move(samples).value();
}

std::vector<float> image(Samples const& samples, std::int64_t index, std::int64_t size = 28) {
  std::vector<float> pixels(static_cast<std::size_t>(size * size), -1);
  REQUIRE(samples.read(index, 0, {pixels.data(), DataType::f32, size * size}).good());
  return pixels;
}

std::size_t label(Samples const& samples, std::int64_t index) {
  std::array<double, 10> hot{};
  REQUIRE(samples.read(index, 1, {hot.data(), DataType::f64, 10}).good());
  std::size_t at = 10;
  double sum = 0;
  for (std::size_t i = 0; i < 10; ++i) {
    sum += hot[i];
    if (hot[i] == 1) at = i;
  }
  CHECK(sum == 1);
  return at;
}

}  // namespace

TEST_CASE("a digit is a function of seed, role and number") {
  auto const samples = open_digits(ExecutionMode::training, 100);
  auto const again = open_digits(ExecutionMode::training, 100000);
  auto const other_role = open_digits(ExecutionMode::testing, 100);
  auto const other_seed = open_digits(ExecutionMode::training, 100, 1);
  auto const kept = image(*samples, 7);
  CHECK(image(*samples, 7) == kept);  // the second time from what was kept
  CHECK(image(*again, 7) == kept);
  CHECK(image(*other_role, 7) != kept);
  CHECK(image(*other_seed, 7) != kept);
  CHECK(image(*samples, 8) != kept);
  for (auto pixel : kept) CHECK((pixel >= 0 && pixel <= 1));
  std::vector<double> exact(784);
  REQUIRE(samples->read(7, 0, {exact.data(), DataType::f64, 784}).good());
  for (std::size_t i = 0; i < 784; ++i) CHECK(static_cast<float>(exact[i]) == kept[i]);
  CHECK(image(*open_digits(ExecutionMode::training, 4, 0, 8), 3, 8).size() == 64);
}

TEST_CASE("digits drawn by several threads at once are the same") {
  auto const alone = open_digits(ExecutionMode::training, 200);
  auto const shared = open_digits(ExecutionMode::training, 200);
  std::array<std::vector<std::vector<float>>, 4> drawn;
  std::vector<std::thread> threads;
  for (auto& list : drawn)
    threads.emplace_back([&] {
      for (std::int64_t i = 0; i < 200; ++i) {
        std::vector<float> pixels(784);
        if (shared->read(i, 0, {pixels.data(), DataType::f32, 784})) list.push_back(pixels);
      }
    });
  for (auto& thread : threads) thread.join();
  for (auto const& list : drawn) {
    REQUIRE(list.size() == 200);
    for (std::int64_t i = 0; i < 200; ++i)
      CHECK(list[static_cast<std::size_t>(i)] == image(*alone, i));
  }
}

TEST_CASE("a trivial classifier reads some digits, not all") {
  auto const train = open_digits(ExecutionMode::training, 3000);
  auto const test = open_digits(ExecutionMode::testing, 1000);
  std::array<std::vector<double>, 10> mean;
  std::array<int, 10> count{};
  mean.fill(std::vector<double>(784, 0));
  for (std::int64_t i = 0; i < train->count(); ++i) {
    auto const digit = label(*train, i);
    auto const pixels = image(*train, i);
    ++count[digit];
    for (std::size_t k = 0; k < 784; ++k) mean[digit][k] += pixels[k];
  }
  for (std::size_t digit = 0; digit < 10; ++digit) {
    CHECK(std::abs(count[digit] - 300) < 5 * 16.5);  // five standard deviations
    for (auto& value : mean[digit]) value /= count[digit];
  }
  int right = 0;
  for (std::int64_t i = 0; i < test->count(); ++i) {
    auto const pixels = image(*test, i);
    std::size_t best = 0;
    double least = 1e300;
    for (std::size_t digit = 0; digit < 10; ++digit) {
      double distance = 0;
      for (std::size_t k = 0; k < 784; ++k)
        distance += (pixels[k] - mean[digit][k]) * (pixels[k] - mean[digit][k]);
      if (distance < least) {
        least = distance;
        best = digit;
      }
    }
    right += best == label(*test, i) ? 1 : 0;
  }
  MESSAGE("the nearest mean is right for ", right, " of 1000 digits");
  CHECK(right > 350);
  CHECK(right < 900);
}

TEST_CASE("digits refuses impossible sizes") {
  data_readers::digits reader;
  reader.size = 4;
  CHECK_FALSE(load_samples(reader, {}, true).good());
  reader.size = 28;
  reader.num_samples = 0;
  CHECK_FALSE(load_samples(reader, {}, true).good());
}
