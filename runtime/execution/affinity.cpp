// Places from OpenMP's API, CPU quotas from the files of cgroups.
#include "runtime/execution/affinity.hpp"

#include <dlfcn.h>
#include <omp.h>
#include <sched.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>

namespace lbann::runtime {

namespace {

/// The function `name` of libgomp if this process has loaded it, else `own`. libgomp binds the main
/// thread when it is loaded. BLAS may load it beside another OpenMP that we use, which then sees a
/// single place.
template <class F>
F* of_libgomp(char const* name, F* own) {
  static void* const libgomp = ::dlopen("libgomp.so.1", RTLD_LAZY | RTLD_NOLOAD);
  void* const found = libgomp != nullptr ? ::dlsym(libgomp, name) : nullptr;
  return found != nullptr ? reinterpret_cast<F*>(found) : own;
}

ProcBind kind_of(omp_proc_bind_t bind) {
  switch (bind) {
    case omp_proc_bind_false:
      return ProcBind::none;
    case omp_proc_bind_spread:
      return ProcBind::spread;
    case omp_proc_bind_master:
      return ProcBind::primary;
    default:
      return ProcBind::close;
  }
}

CoreMask place(int number) {
  CoreMask mask(sizeof(cpu_set_t) / sizeof(std::uint64_t), 0);
  auto* const count_of = of_libgomp("omp_get_place_num_procs", omp_get_place_num_procs);
  auto* const list = of_libgomp("omp_get_place_proc_ids", omp_get_place_proc_ids);
  std::vector<int> cores(static_cast<std::size_t>(count_of(number)));
  list(number, cores.data());
  for (auto const core : cores)
    if (core >= 0 && static_cast<std::size_t>(core) / 64 < mask.size())
      mask[static_cast<std::size_t>(core) / 64] |= std::uint64_t{1} << (core % 64);
  return mask;
}

/// CPU quota of one cgroup, in cores; 0 without a limit.
double quota_of(std::filesystem::path const& group) {
  std::string quota;
  double period = 0;
  if (std::ifstream version2(group / "cpu.max"); version2 >> quota >> period) {
    if (quota == "max" || period <= 0) return 0;
    return std::strtod(quota.c_str(), nullptr) / period;
  }
  double time = 0;
  std::ifstream version1(group / "cpu.cfs_quota_us"), length(group / "cpu.cfs_period_us");
  return version1 >> time && length >> period && time > 0 && period > 0 ? time / period : 0;
}

}  // namespace

CoreMask Binding::cores() const {
  CoreMask all(places.empty() ? 0 : places[0].size(), 0);
  for (auto const& place : places)
    for (std::size_t i = 0; i < all.size(); ++i) all[i] |= place[i];
  return all;
}

Binding take_binding() {
  Binding binding;
  binding.kind = kind_of(of_libgomp("omp_get_proc_bind", omp_get_proc_bind)());
  if (binding.kind == ProcBind::none) {
    if (std::getenv("OMP_PROC_BIND") == nullptr) binding.kind = ProcBind::unset;
    return binding;
  }
  auto const places = of_libgomp("omp_get_num_places", omp_get_num_places)();
  for (int i = 0; i < places; ++i)
    if (auto cores = place(i); count_cores(cores) > 0) binding.places.push_back(std::move(cores));
  if (binding.places.empty()) return {};
  set_affinity(binding.cores());
  return binding;
}

std::vector<CoreMask> thread_places(Binding const& binding, CoreMask const& own,
                                    std::int64_t threads) {
  std::vector<CoreMask> places, of_threads;
  for (auto const& place : binding.places)
    if (auto cores = intersection(place, own); count_cores(cores) > 0)
      places.push_back(std::move(cores));
  if (places.empty()) return {};
  auto const count = static_cast<std::int64_t>(places.size());
  bool const in_turn = binding.kind == ProcBind::close && threads <= count;
  for (std::int64_t thread = 0; thread < threads; ++thread) {
    auto const place = binding.kind == ProcBind::primary ? 0
                       : in_turn                         ? thread
                                                         : thread * count / threads;
    of_threads.push_back(places[static_cast<std::size_t>(place)]);
  }
  return of_threads;
}

std::int64_t cgroup_quota(char const* root, char const* groups) {
  double least = 0;
  std::istringstream lines(groups);
  // Each line is HIERARCHY:CONTROLLERS:PATH; a limit of an outer group applies to inner ones.
  for (std::string line; std::getline(lines, line);) {
    auto const first = line.find(':'), second = line.find(':', first + 1);
    if (second == std::string::npos) continue;
    auto const controllers = line.substr(first + 1, second - first - 1);
    if (!controllers.empty() && (',' + controllers + ',').find(",cpu,") == std::string::npos)
      continue;
    auto const base = controllers.empty() ? std::filesystem::path(root)
                                          : std::filesystem::path(root) / controllers;
    auto group = base / std::filesystem::path(line.substr(second + 1)).relative_path();
    for (;; group = group.parent_path()) {
      auto const quota = quota_of(group);
      if (quota > 0 && (least == 0 || quota < least)) least = quota;
      if (group == base || !group.has_relative_path()) break;
    }
  }
  return static_cast<std::int64_t>(least) + (least > static_cast<std::int64_t>(least) ? 1 : 0);
}

std::int64_t cgroup_quota() {
  std::ifstream file("/proc/self/cgroup");
  std::ostringstream groups;
  groups << file.rdbuf();
  return cgroup_quota("/sys/fs/cgroup", groups.str().c_str());
}

}  // namespace lbann::runtime
