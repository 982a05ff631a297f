// Other programs beside this one: what they are given, how they end.
#include "schemas/processes/child_process.hpp"

#include <doctest/doctest.h>
#include <signal.h>

#include "schemas/processes/own_file.hpp"

using namespace lbann;
using namespace std::chrono_literals;

namespace {

ChildProcess started(std::string const& script, std::vector<ChildProcess::File> const& files = {}) {
  auto child = ChildProcess::start({"sh", "-c", script}, files);
  REQUIRE(child.good());
  return std::move(child).value();
}

/// All that is written to `file` until nobody can write any more.
std::string all_of(OwnFile const& file) {
  std::string text;
  char byte = 0;
  while (::read(file.get(), &byte, 1) == 1) text += byte;
  return text;
}

struct Ends {
  OwnFile out, in;
  Ends() {
    int ends[2] = {-1, -1};
    REQUIRE(::pipe2(ends, O_CLOEXEC) == 0);
    out = OwnFile(ends[0]);
    in = OwnFile(ends[1]);
  }
};

}  // namespace

TEST_CASE("how a child ends is told once") {
  auto exits = started("exit 3");
  auto const end = exits.wait();
  REQUIRE(end.has_value());
  CHECK(end->code == 3);
  CHECK(end->signal == 0);
  CHECK_FALSE(exits.wait().has_value());
  CHECK_FALSE(exits.ended_within(1ms).has_value());
  auto killed = started("kill -KILL $$");
  auto const death = killed.ended_within(20s);
  REQUIRE(death.has_value());
  CHECK(death->signal == SIGKILL);
  CHECK_FALSE(ChildProcess().wait().has_value());
}

TEST_CASE("a child has the files it is given, and no others of ours") {
  Ends pipe, other;
  auto child = started(
      "echo ten >&5; [ -e /proc/self/fd/" + std::to_string(other.in.get()) + " ] && echo more >&5",
      {{pipe.in.get(), 5}});
  pipe.in.close();
  CHECK(all_of(pipe.out) == "ten\n");
  CHECK(child.wait()->code == 1);
}

TEST_CASE("a child that does not end is killed with its object") {
  Ends pipe;
  {
    auto child =
        started("trap '' TERM; echo here; while :; do sleep 0.01 >&2; done", {{pipe.in.get(), 1}});
    CHECK_FALSE(child.ended_within(20ms).has_value());
  }
  pipe.in.close();
  CHECK(all_of(pipe.out).starts_with("here"));  // ends: nobody holds the other end
}

TEST_CASE("a program that cannot be started") {
  auto const child = ChildProcess::start({"no-such-program-here"}, {});
  REQUIRE_FALSE(child.good());
  CHECK(child.problem().message == "No such file or directory");
}

TEST_CASE("files are owned by one object, above those of children") {
  Ends pipe;
  int const number = pipe.out.get();
  CHECK(number >= 10);
  {
    OwnFile const owner(std::move(pipe.out));
    CHECK(owner.get() == number);
    CHECK_FALSE(pipe.out.open());
    CHECK(::fcntl(number, F_GETFD) == FD_CLOEXEC);
  }
  CHECK(::fcntl(number, F_GETFD) == -1);
  CHECK_FALSE(OwnFile(-1).open());
}
