// The world of one has nothing to add.
#include "runtime/communication/communicator.hpp"

#include <doctest/doctest.h>

#include "runtime/communication/agreement.hpp"
#include "runtime/communication/trainers.hpp"

using namespace lbann;
using namespace lbann::runtime;

TEST_CASE("a world of one has nothing to add") {
  auto const world = single_process();
  CHECK(world->size() == 1);
  CHECK(world->rank() == 0);
  double value = 3, other = 0;
  world->all_reduce(&value, 1, DataType::f64);
  CHECK(value == 3);
  auto const sum = world->sum(&value, &other, 1, DataType::f64);
  sum->post();
  CHECK(sum->arrived());
  sum->await();
  CHECK(other == 3);
  auto const bytes = std::as_bytes(std::span(&value, 1));
  CHECK(world->gather(bytes).size() == 1);
  CHECK(world->split(3)->size() == 1);
  CHECK(world->on_this_node()->size() == 1);
}

TEST_CASE("a rank alone agrees with itself") {
  auto const world = single_process();
  CHECK(agree_on_status(*world, Result<Success>(Success{})).good());
  auto const failed = agree_on_status(*world, Result<int>(Problem{"no"}));
  REQUIRE_FALSE(failed.good());
  CHECK(failed.problem().message == "no");
  CHECK(same_everywhere(*world, 7, "", "").good());
  CHECK(broadcast_text(*world, "words") == "words");
  CHECK(program_digest() != 0);
}

TEST_CASE("a single rank is trainer 0 and speaks") {
  auto const ranks = single_rank();
  CHECK(ranks.is_root());
  CHECK(ranks.trainers == 1);
  CHECK(ranks.number == 0);
}
