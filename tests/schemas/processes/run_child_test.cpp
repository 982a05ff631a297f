// Other programs: what they say, how they end.
#include "schemas/processes/run_child.hpp"

#include <doctest/doctest.h>

using namespace lbann;

namespace {

ChildOutcome shell(std::string const& script) {
  auto outcome = run_child({"sh", "-c", script});
  REQUIRE(outcome.good());
  return outcome.value();
}

}  // namespace

TEST_CASE("a child's output, errors and exit code") {
  auto const good = shell("echo 12; echo why >&2");
  CHECK(good.output == "12\n");
  CHECK(good.errors == "why\n");
  CHECK(good.exit_code == 0);
  CHECK(shell("exit 3").exit_code == 3);
  CHECK(shell("kill -TERM $$").exit_code == 128 + 15);
  CHECK(shell("read line; echo \"[$line]\"").output == "[]\n");
}

TEST_CASE("more than pipes hold, on both") {
  auto const much =
      shell("head -c 300000 /dev/zero | tr '\\0' x; head -c 300000 /dev/zero | tr '\\0' y >&2");
  CHECK(much.output == std::string(300000, 'x'));
  CHECK(much.errors == std::string(300000, 'y'));
}

TEST_CASE("a program that is not there") {
  auto const outcome = run_child({"no-such-program-here"});
  REQUIRE_FALSE(outcome.good());
  CHECK(outcome.problem().message.starts_with("`no-such-program-here` cannot be started: "));
}

TEST_CASE("a child that is not wanted any more is not waited for") {
  auto const outcome = run_child({"sh", "-c", "exec sleep 1000"}, [] { return true; });
  REQUIRE(outcome.good());
  CHECK(outcome.value().stopped);
}
