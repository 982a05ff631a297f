// A dry run sums as if all ranks held the same, and counts.
#include "runtime/communication/dry_run.hpp"

#include <doctest/doctest.h>

#include "runtime/communication/agreement.hpp"

using namespace lbann;
using namespace lbann::runtime;

TEST_CASE("a dry run sums as if all ranks held the same") {
  Traffic traffic;
  auto const world = dry_run_communicator(2, 4, true, traffic);
  CHECK(world->rank() == 2);
  CHECK(world->size() == 4);
  float const parts[3] = {1, -2, 0.5};
  float total[3] = {};
  auto const sum = world->sum(parts, total, 3, DataType::f32);
  CHECK(traffic.messages == 0);
  for (int step = 1; step <= 2; ++step) {
    sum->post();
    CHECK(sum->arrived());
    sum->await();
    CHECK(total[0] == 4);
    CHECK(total[1] == -8);
    CHECK(total[2] == 2);
    CHECK(traffic.messages == step);
    CHECK(traffic.bytes == 12 * step);
  }
  std::int64_t counts[2] = {7, 0};
  world->all_reduce(counts, 2, DataType::i64);
  CHECK(counts[0] == 28);
  CHECK(traffic.bytes == 24 + 16);
  // In place, again and again.
  double number = 3;
  auto const again = world->sum(&number, &number, 1, DataType::f64);
  again->post();
  CHECK(number == 12);
}

TEST_CASE("a dry run hears its own words") {
  Traffic traffic;
  auto const first = dry_run_communicator(0, 3, false, traffic),
             other = dry_run_communicator(1, 3, false, traffic);
  std::uint8_t const word = 9;
  auto const parts = first->gather(std::as_bytes(std::span(&word, 1)));
  REQUIRE(parts.size() == 3);
  CHECK(parts[2].at(0) == std::byte{9});
  CHECK(other->gather(std::as_bytes(std::span(&word, 1))).empty());
  CHECK(first->on_this_node()->size() == 1);
  CHECK(first->split(5)->size() == 3);
  CHECK(agree_on_status(*first, Result<Success>(Success{})).good());
  CHECK(same_everywhere(*first, 7, "", "").good());
}

TEST_CASE("a dry run shares memory with ranks that are always there") {
  Traffic traffic;
  auto const world = dry_run_communicator(1, 4, true, traffic);
  CHECK(world->on_one_node());
  auto const memory = world->share(1000);
  REQUIRE(memory != nullptr);
  CHECK(reinterpret_cast<std::uintptr_t>(memory->data()) % 64 == 0);
  CHECK(memory->data()[999] == std::byte{0});
  CHECK(memory->publish(24) == 1);
  CHECK(memory->publish(SharedMemory::nothing) == 2);
  CHECK(memory->reached(2));
  memory->await(2);
  CHECK(traffic.messages == 1);
  CHECK(traffic.bytes == 24);
  auto const apart = dry_run_communicator(1, 4, false, traffic);
  CHECK_FALSE(apart->on_one_node());
  CHECK(apart->share(1000) == nullptr);
}
