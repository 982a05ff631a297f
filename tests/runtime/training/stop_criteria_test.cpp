// Training stops at whichever limit comes first.
#include "runtime/training/stop_criteria.hpp"

#include <doctest/doctest.h>

using namespace lbann;
using namespace lbann::runtime;

TEST_CASE("the first limit reached stops") {
  TrainingAlgorithm all;
  all.max_epochs = 2;
  all.max_batches = 5;
  all.max_seconds = 1.5;
  CHECK(stop_of(all, 0, {0, 0, 0}) == Stop::not_yet);
  CHECK(stop_of(all, 0, {4, 1, 1.4}) == Stop::not_yet);
  CHECK(stop_of(all, 0, {5, 1, 1.4}) == Stop::batches);
  CHECK(stop_of(all, 0, {4, 2, 1.4}) == Stop::epochs);
  CHECK(stop_of(all, 0, {4, 1, 1.5}) == Stop::seconds);
  CHECK(stop_of(all, 4, {4, 1, 1.4}) == Stop::steps);
}

TEST_CASE("a plan without limits asks for no training") {
  CHECK(stop_of({}, 0, {}) == Stop::epochs);
  CHECK(stop_of({}, 7, {}) == Stop::epochs);
}
