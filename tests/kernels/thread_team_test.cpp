// A team runs each part once on its own thread, whoever calls, and waits in every way it can.
#include "kernels/thread_team.hpp"

#include <doctest/doctest.h>

#include <atomic>
#include <numeric>
#include <thread>
#include <vector>

#include "kernels/tasks.hpp"

using namespace lbann::kernels;

namespace {

/// Runs on a thread of its own: the tests' main thread has a team already, and there is one at a
/// time.
template <class Test>
void on_new_thread(Test const& test) {
  std::thread(test).join();
}

}  // namespace

TEST_CASE("every part runs once, and part p always on the same thread") {
  auto const threads = ThreadTeam::size();
  REQUIRE(threads == 2);
  std::vector<std::thread::id> of_parts(static_cast<std::size_t>(threads));
  ThreadTeam::for_each_part(threads, [&](std::int64_t part) {
    of_parts[static_cast<std::size_t>(part)] = std::this_thread::get_id();
  });
  CHECK(of_parts[0] == std::this_thread::get_id());
  CHECK(of_parts[1] != of_parts[0]);
  for (int round = 0; round < 2000; ++round) {
    std::vector<int> calls(static_cast<std::size_t>(threads), 0);
    bool same = true;
    ThreadTeam::for_each_part(threads, [&](std::int64_t part) {
      ++calls[static_cast<std::size_t>(part)];
      if (of_parts[static_cast<std::size_t>(part)] != std::this_thread::get_id()) same = false;
    });
    REQUIRE(calls == std::vector<int>{1, 1});
    REQUIRE(same);
  }
}

TEST_CASE("within a part, and on threads without a team, parts run one after the other") {
  std::atomic<int> calls{0};
  ThreadTeam::for_each_part(2, [&](std::int64_t) {
    auto const caller = std::this_thread::get_id();
    ThreadTeam::for_each_part(2, [&](std::int64_t) {
      if (caller == std::this_thread::get_id()) ++calls;
    });
  });
  CHECK(calls == 4);
  on_new_thread([&] {
    auto const caller = std::this_thread::get_id();
    ThreadTeam::for_each_part(2, [&](std::int64_t) {
      if (caller == std::this_thread::get_id()) ++calls;
    });
  });
  CHECK(calls == 6);
}

TEST_CASE("what is shared out is counted, what one thread does alone is not") {
  auto const before = ThreadTeam::synchronisations();
  for (std::int64_t const parts : {0, 1, 2, 2, 1})
    ThreadTeam::for_each_part(parts, [](std::int64_t) {});
  CHECK(ThreadTeam::synchronisations() == before + 2);
  // Within a part there is nothing to wait for.
  ThreadTeam::for_each_part(2, [](std::int64_t) { ThreadTeam::for_each_part(2, [](auto) {}); });
  CHECK(ThreadTeam::synchronisations() == before + 3);
}

TEST_CASE("tasks are shared out in contiguous ranges, the same in every call") {
  for (std::int64_t tasks = 0; tasks < 9; ++tasks) {
    std::vector<std::int64_t> workers(static_cast<std::size_t>(tasks), -1);
    for (int time = 0; time < 2; ++time) {
      auto const before = workers;
      for_each_task(tasks, [&](std::int64_t task, std::int64_t worker) {
        workers[static_cast<std::size_t>(task)] = worker;
      });
      if (time == 1) CHECK(before == workers);
      CHECK(std::ranges::is_sorted(workers));
      for (auto const worker : workers) CHECK((worker >= 0 && worker < workers_for(tasks)));
    }
  }
}

TEST_CASE("a waiting thread that is never interrupted spins, a passive one does not") {
  CoreUse cores;
  std::int64_t polls = 0;
  auto const ready = [&] { return ++polls > 1000; };
  CHECK(SpinWait(WaitPolicy::active, cores).spin(ready));
  CHECK(polls == 1001);
  polls = 0;
  CHECK_FALSE(SpinWait(WaitPolicy::passive, cores).spin(ready));
  CHECK(polls == 1);
}

TEST_CASE("cores that other programs use are left early, by all threads of a team") {
  CoreUse cores;
  SpinWait wait(WaitPolicy::adaptive, cores), other(WaitPolicy::adaptive, cores);
  // A poll that takes long is what a thread sees of being interrupted.
  std::int64_t polls = 0;
  CHECK_FALSE(wait.spin([&] {
    if (++polls % 16 == 0) std::this_thread::sleep_for(std::chrono::milliseconds(3));
    return polls > 100'000;
  }));
  CHECK(polls < 100);
  CHECK(cores.shared_until > 0);
  // The next wait of any of them gives up after microseconds: some looks at the clock.
  polls = 0;
  CHECK_FALSE(other.spin([&] { return ++polls > 10'000'000; }));
  CHECK(polls < 10'000'000);
}
