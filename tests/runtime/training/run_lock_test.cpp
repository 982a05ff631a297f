// One process at a time has the lock of a run.
#include "runtime/training/run_lock.hpp"

#include <doctest/doctest.h>

#include "tests/runtime/regression.hpp"

using namespace lbann;
using runtime::RunLock;

TEST_CASE("a lock is taken once, and again when it was released") {
  test::ScratchFolder const scratch;
  auto const log = scratch.path() / "log";
  {
    auto const first = RunLock::take(log, 0);
    REQUIRE(first.good());
    auto const second = RunLock::take(log, 0.1);
    REQUIRE_FALSE(second.good());
    CHECK(second.problem().message.starts_with(scratch.path().string() + ": another lbann-run"));
  }
  CHECK(RunLock::take(log, 0).good());
}

TEST_CASE("a lock where nothing can be written is a problem") {
  auto const lock = RunLock::take("/proc/none/log", 0);
  REQUIRE_FALSE(lock.good());
  CHECK(lock.problem().message.starts_with("/proc/none/log: cannot be written"));
}
