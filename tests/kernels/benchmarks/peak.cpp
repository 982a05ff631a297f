// Repeats a register tile of a product on every thread.
#include "tests/kernels/benchmarks/peak.hpp"

#include <algorithm>
#include <chrono>
#include <vector>

#include "kernels/host/products/microkernel.hpp"
#include "kernels/tasks.hpp"

namespace lbann::benchmarks {

double fma_rate() {
  using namespace kernels::host;
  constexpr std::int64_t depth = 128, repetitions = 20000, columns = tile_columns<float>;
  auto const threads = kernels::ThreadTeam::size();
  double best = 0;
  for (int round = 0; round < 15; ++round) {
    auto const start = std::chrono::steady_clock::now();
    kernels::launch_on_threads(threads, [=](std::int64_t) {
      std::vector<float> const a(depth * tile_rows, 0.5f), b(depth * columns, 0.5f);
      std::vector<float> c(tile_rows * columns);
      for (std::int64_t i = 0; i < repetitions; ++i)
        run_microkernel<float, tile_rows>(
            a.data(), b.data(), PackedRows{columns}, depth,
            TileTarget<float>{c.data(), columns, tile_rows, columns, false});
    });
    std::chrono::duration<double> const seconds = std::chrono::steady_clock::now() - start;
    auto const operations = 2.0 * depth * tile_rows * columns * repetitions;
    best = std::max(best, operations * static_cast<double>(threads) / seconds.count());
  }
  return best;
}

}  // namespace lbann::benchmarks
