// Shares of cores for every way launchers bind ranks.
#include "runtime/execution/cores.hpp"

#include <doctest/doctest.h>

#include "tests/runtime/execution/core_masks.hpp"

using namespace lbann::runtime;

TEST_CASE("ranks bound to cores of their own use all of these") {
  auto const choice = share_cores({cores(0, 2), cores(2, 4)}, 1, 0, 1);
  CHECK(choice.compute == 2);
  CHECK(choice.cores == 4);
  CHECK(choice.ranks_on_node == 2);
  CHECK_FALSE(choice.warns);
}

TEST_CASE("ranks that may use all cores share them") {
  CHECK(share_cores({cores(0, 4), cores(0, 4)}, 0, 0, 1).compute == 2);
  CHECK(share_cores({cores(0, 2), cores(0, 2), cores(0, 2)}, 2, 0, 1).compute == 1);
  CHECK(share_cores({cores(0, 2), cores(0, 2), cores(0, 2)}, 2, 0, 1).warns);
}

TEST_CASE("I/O threads come out of a share of four cores or more") {
  CHECK(share_cores({cores(0, 3)}, 0, 0, 1).compute == 3);
  CHECK(share_cores({cores(0, 4)}, 0, 0, 1).compute == 3);
  CHECK(share_cores({cores(0, 128)}, 0, 0, 4).compute == 124);
  CHECK(share_cores({cores(0, 4)}, 0, 0, 9).compute == 1);
}

TEST_CASE("what the user asks for is taken, and warned of where it is too much") {
  auto const good = share_cores({cores(0, 8), cores(0, 8)}, 0, 4, 1);
  CHECK(good.compute == 4);
  CHECK_FALSE(good.warns);
  CHECK(good.threads_on_node == 10);
  auto const bad = share_cores({cores(0, 8), cores(0, 8)}, 0, 5, 1);
  CHECK(bad.warns);
  CHECK(
      bad.line() ==
      "threads : 2 ranks on this node of 8 cores, each 5 to compute and 1 for data; warning: more "
      "threads compute than there are cores, each waits for the others; start fewer ranks here or "
      "give --threads 4");
}

TEST_CASE("this process may use a core") {
  auto const mask = affinity_mask();
  CHECK(share_cores({mask}, 0, 0, 1).compute >= 1);
}
