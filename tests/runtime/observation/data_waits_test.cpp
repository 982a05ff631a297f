// What is said of waiting, and when.
#include "runtime/observation/data_waits.hpp"

#include <doctest/doctest.h>

#include "tests/support/contains.hpp"

using namespace lbann::runtime;
using lbann::testing::contains;

namespace {

MiniBatch batch(std::int64_t local, double waited) {
  MiniBatch made;
  made.local = local;
  made.waited = waited;
  return made;
}

}  // namespace

TEST_CASE("waits for data are told once, where they are worth it") {
  DataWaits waits(1, 8, nullptr);
  waits.add(batch(4, 0.9));
  CHECK_FALSE(waits.end_pass("epoch 0", 1.8));  // below a second
  waits.add(batch(4, 4));
  CHECK_FALSE(waits.end_pass("epoch 1", 100));  // below a twentieth
  waits.add(batch(4, 3));
  waits.add(batch(2, 0.7));
  auto const line = waits.end_pass("epoch 2", 10);
  REQUIRE(line);
  CHECK(contains(*line, "steps waited for data 37 % of epoch 2, 3.7 of 10.0 s"));
  CHECK(contains(*line, "--io-threads, now 1;"));
  waits.add(batch(4, 9));
  CHECK_FALSE(waits.end_pass("epoch 3", 10));
  auto const ranks = single_process();
  auto const summary = waits.summary(*ranks);
  CHECK(contains(summary, "data   : 18 samples, "));
  CHECK(contains(summary, "steps waited 17.6 s for them, 14.4 % of the time"));
}

TEST_CASE("more threads than cores are told of") {
  DataWaits waits(4, 4, nullptr);
  waits.add(batch(1, 2));
  CHECK(contains(waits.end_pass("the test", 4).value_or(""), "now 4, of 4 cores"));
}
