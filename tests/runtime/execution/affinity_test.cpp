// Places of threads for every way OpenMP can be asked to bind them, and limits of control groups.
#include "runtime/execution/affinity.hpp"

#include <doctest/doctest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "runtime/execution/cores.hpp"
#include "tests/runtime/execution/core_masks.hpp"

using namespace lbann::runtime;

namespace {

Binding single_cores(ProcBind kind, std::size_t count) {
  Binding binding{kind, {}};
  for (std::size_t core = 0; core < count; ++core) binding.places.push_back(cores(core, core + 1));
  return binding;
}

}  // namespace

TEST_CASE("bound threads of a rank are on different cores, and on those of the rank") {
  for (auto const kind : {ProcBind::close, ProcBind::spread}) {
    auto const places = thread_places(single_cores(kind, 128), cores(64, 68), 4);
    REQUIRE(places.size() == 4);
    for (std::size_t i = 0; i < 4; ++i) CHECK(places[i] == cores(64 + i, 65 + i));
  }
  auto const apart = thread_places(single_cores(ProcBind::spread, 8), cores(0, 8), 2);
  CHECK(apart == std::vector{cores(0, 1), cores(4, 5)});
  auto const close = thread_places(single_cores(ProcBind::close, 8), cores(0, 8), 2);
  CHECK(close == std::vector{cores(0, 1), cores(1, 2)});
  auto const first = thread_places(single_cores(ProcBind::primary, 8), cores(4, 8), 2);
  CHECK(first == std::vector{cores(4, 5), cores(4, 5)});
}

TEST_CASE("more threads than places fill them evenly; places keep what lies within the rank's") {
  Binding const sockets{ProcBind::close, {cores(0, 64), cores(64, 128)}};
  auto const places = thread_places(sockets, cores(0, 128), 4);
  CHECK(places == std::vector{cores(0, 64), cores(0, 64), cores(64, 128), cores(64, 128)});
  auto const half = thread_places(sockets, cores(32, 64), 2);
  CHECK(half == std::vector{cores(32, 64), cores(32, 64)});
  CHECK(thread_places({}, cores(0, 4), 4).empty());
}

TEST_CASE("ranks with the same mask divide it, others keep theirs") {
  std::vector<CoreMask> const same(3, cores(0, 8));
  CHECK(own_cores(same, 0) == cores(0, 2));
  CHECK(own_cores(same, 1) == cores(2, 5));
  CHECK(own_cores(same, 2) == cores(5, 8));
  CHECK(own_cores({cores(0, 4), cores(4, 8)}, 1) == cores(4, 8));
  CHECK(own_cores({cores(0, 4), cores(0, 4), cores(4, 8), cores(4, 8)}, 3) == cores(6, 8));
  // Too few cores, or masks that overlap in part: nothing sound can be cut out.
  CHECK(own_cores({cores(0, 1), cores(0, 1)}, 1) == cores(0, 1));
  CHECK(own_cores({cores(0, 4), cores(2, 6)}, 0) == cores(0, 4));
}

TEST_CASE("limits of control groups of both versions, the tightest of all outer ones") {
  auto const root =
      std::filesystem::temp_directory_path() / ("lbann_cgroup_" + std::to_string(::getpid()));
  auto const write = [&](char const* path, char const* text) {
    std::filesystem::create_directories((root / path).parent_path());
    std::ofstream(root / path) << text;
  };
  CHECK(cgroup_quota(root.c_str(), "0::/job/step\n") == 0);
  write("job/step/cpu.max", "max 100000\n");
  CHECK(cgroup_quota(root.c_str(), "0::/job/step\n") == 0);
  write("job/cpu.max", "250000 100000\n");
  CHECK(cgroup_quota(root.c_str(), "0::/job/step\n") == 3);
  write("job/step/cpu.max", "150000 100000\n");
  CHECK(cgroup_quota(root.c_str(), "0::/job/step\n") == 2);
  CHECK(cgroup_quota(root.c_str(), "0::/\n") == 0);
  write("cpu,cpuacct/box/cpu.cfs_quota_us", "400000\n");
  write("cpu,cpuacct/box/cpu.cfs_period_us", "100000\n");
  CHECK(cgroup_quota(root.c_str(), "3:memory:/box\n2:cpu,cpuacct:/box\n") == 4);
  write("cpu,cpuacct/box/cpu.cfs_quota_us", "-1\n");
  CHECK(cgroup_quota(root.c_str(), "2:cpu,cpuacct:/box\n") == 0);
  CHECK(cgroup_quota(root.c_str(), "") == 0);
  CHECK(cgroup_quota(root.c_str(), "nonsense\n::\n") == 0);
  std::filesystem::remove_all(root);
}

TEST_CASE("a limit of time is shared by the ranks of a node") {
  CHECK(share_cores({cores(0, 64)}, 0, 0, 1, 2).compute == 2);
  CHECK(share_cores({cores(0, 64), cores(0, 64)}, 1, 0, 1, 2).compute == 1);
  CHECK(share_cores({cores(0, 2)}, 0, 0, 1, 64).compute == 2);
  CHECK(share_cores({cores(0, 64)}, 0, 8, 1, 2).warns);
}

TEST_CASE("what a bound thread starts may use all cores of its rank") {
  auto const before = affinity_mask();
  OnAllCores::set(before);
  CoreMask first(before.size(), 0);
  for (std::size_t i = 0; i < before.size(); ++i)
    if (before[i] != 0) {
      first[i] = before[i] & -before[i];
      break;
    }
  set_affinity(first);
  {
    OnAllCores const scope;
    CHECK(affinity_mask() == before);
  }
  CHECK(affinity_mask() == first);
  set_affinity(before);
  OnAllCores::set({});
}
