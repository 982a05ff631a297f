// Masks by the system's calls.
#include "schemas/processes/core_mask.hpp"

#include <sched.h>

#include <algorithm>
#include <bit>
#include <cstring>

namespace lbann {

namespace {

CoreMask& cores_of_rank() {
  static CoreMask cores;
  return cores;
}

}  // namespace

CoreMask affinity_mask() {
  cpu_set_t set;
  CPU_ZERO(&set);
  CoreMask mask(sizeof set / sizeof(std::uint64_t), 0);
  if (::sched_getaffinity(0, sizeof set, &set) != 0) CPU_SET(0, &set);
  std::memcpy(mask.data(), &set, sizeof set);
  return mask;
}

void set_affinity(CoreMask const& mask) {
  cpu_set_t set;
  CPU_ZERO(&set);
  std::memcpy(&set, mask.data(), std::min(sizeof set, mask.size() * sizeof mask[0]));
  if (CPU_COUNT(&set) > 0) ::sched_setaffinity(0, sizeof set, &set);
}

CoreMask intersection(CoreMask const& a, CoreMask const& b) {
  CoreMask both(std::min(a.size(), b.size()));
  for (std::size_t i = 0; i < both.size(); ++i) both[i] = a[i] & b[i];
  return both;
}

std::int64_t count_cores(CoreMask const& mask) {
  std::int64_t count = 0;
  for (auto const word : mask) count += std::popcount(word);
  return count;
}

OnAllCores::OnAllCores() {
  if (cores_of_rank().empty()) return;
  before_ = affinity_mask();
  set_affinity(cores_of_rank());
}

OnAllCores::~OnAllCores() {
  if (!before_.empty()) set_affinity(before_);
}

void OnAllCores::set(CoreMask const& cores) { cores_of_rank() = cores; }

}  // namespace lbann
