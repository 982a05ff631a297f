// Chains of fused multiply-adds on every thread.
#include "tests/kernels/benchmarks/peak.hpp"

#include <algorithm>
#include <chrono>

#include "kernels/host/vector.hpp"
#include "kernels/tasks.hpp"

namespace lbann::benchmarks {
namespace {

using namespace kernels::host;

/// More than any processor has FMAs in flight: two units, each with a latency of up to five cycles.
constexpr int chains = 12;

/// `length` operations on each chain, all of them in registers.
float multiply_and_add(std::int64_t length) {
  Vector<float> sums[chains] = {}, factor = broadcast(0.5f), term = broadcast(1.0f);
  for (auto& sum : sums) sum = in_register(sum);  // whose value compilers do not know
  for (std::int64_t i = 0; i < length; ++i) {
    factor = in_register(factor);
    term = in_register(term);
#pragma GCC unroll 12
    for (auto& sum : sums) sum = multiply_add<float>(factor, sum, term);
  }
  float total = 0;
  for (auto const& sum : sums) total += sum_of_lanes<float>(sum);
  return total;
}

}  // namespace

double fma_rate() {
  constexpr std::int64_t length = 1'000'000;
  auto const threads = kernels::ThreadTeam::size();
  double best = 0;
  for (int round = 0; round < 15; ++round) {
    auto const start = std::chrono::steady_clock::now();
    kernels::launch_on_threads(threads, [](std::int64_t) {
      [[maybe_unused]] float volatile const used = multiply_and_add(length);
    });
    std::chrono::duration<double> const seconds = std::chrono::steady_clock::now() - start;
    auto const operations = 2.0 * lanes<float> * chains * length;
    best = std::max(best, operations * static_cast<double>(threads) / seconds.count());
  }
  return best;
}

}  // namespace lbann::benchmarks
