// Bandwidth of maps against the triad a = b + s c of the same run, and the time of small ones.
#include <Kokkos_Core.hpp>
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <vector>

#include "kernels/compute_threads.hpp"
#include "kernels/host/map/engine.hpp"
#include "kernels/tasks.hpp"

using namespace lbann;
using kernels::View;

namespace {

/// Best time of one call in seconds.
template <class F>
double best_time(F&& f, int repeats) {
  double best = 1e9;
  for (int i = 0; i < repeats; ++i) {
    auto const start = std::chrono::steady_clock::now();
    f();
    best = std::min(
        best, std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
  }
  return best;
}

struct Case {
  char const* name;
  char const* expression;
  /// Of each operand: x like the space, r by row, s one element, d one element in f64.
  char const* operands;
  /// Of each output: the operand it lies on, or -1.
  std::vector<int> in_place;
};

Case const cases[] = {
    {"copy", "(i0)", "x", {-1}},
    {"add", "(add(i0, i1))", "xx", {-1}},
    {"bias", "(add(i0, i1))", "xr", {0}},
    {"bias_relu", "(t0 = add(i0, i1); select(less_equal(t0, 0), 0, t0))", "xr", {0}},
    {"relu_gradient", "(multiply(i0, select(less_equal(i1, 0), 0, 1)))", "xx", {0}},
    {"bias_sigmoid", "(sigmoid(add(i0, i1)))", "xr", {0}},
    {"sgd_momentum",
     "(t0 = add(multiply(i3, 0.9), i1); subtract(i0, multiply(i2, t0)), t0)",
     "xxdx",
     {0, 3}},
    {"adam",
     "(t0 = add(multiply(i3, 0.9), multiply(i1, 0.1)); t1 = add(multiply(i4, 0.99), "
     "multiply(multiply(i1, i1), 0.01)); t2 = less(abs(i1), inf); select(t2, subtract(i0, "
     "divide(multiply(i2, t0), add(sqrt(t1), 1e-08))), i0), select(t2, t0, i3), select(t2, t1, "
     "i4))",
     "xxdxx",
     {0, 3, 4}},
    {"exp", "(exp(i0))", "x", {-1}},
    {"tanh", "(tanh(i0))", "x", {-1}},
    {"log", "(log(i0))", "x", {-1}},
    {"chain of 8",
     "(sqrt(abs(add(multiply(subtract(multiply(add(i0, 1), i1), 2), i0), i1))))",
     "xx",
     {-1}},
};

template <class T>
void run_all(std::int64_t rows, std::int64_t columns, double triad) {
  auto const n = static_cast<std::size_t>(rows * columns);
  auto const type = sizeof(T) == 8 ? DataType::f64 : DataType::f32;
  std::vector<std::vector<T>> memory(8, std::vector<T>(n));
  for (auto& m : memory)
    for (std::size_t i = 0; i < n; ++i) m[i] = static_cast<T>(0.5 + 0.001 * (i % 100));
  double rate = 1e-9;
  std::int64_t const shape[] = {rows, columns};
  for (auto const& one : cases) {
    auto const expression = parse_expression(one.expression);
    std::vector<View> operands, outputs;
    double bytes = 0;
    std::size_t next = 0;
    for (char const* kind = one.operands; *kind != 0; ++kind) {
      if (*kind == 'd') operands.push_back({&rate, DataType::f64, 1, {1}});
      if (*kind == 'r') operands.push_back({memory[next++].data(), type, 1, {columns}});
      if (*kind == 'x') operands.push_back({memory[next++].data(), type, 2, {rows, columns}});
      if (*kind == 'x') bytes += sizeof(T) * static_cast<double>(n);
    }
    for (auto place : one.in_place) {
      outputs.push_back({place >= 0 ? operands[static_cast<std::size_t>(place)].data
                                    : static_cast<void*>(memory[next++].data()),
                         type,
                         2,
                         {rows, columns}});
      bytes += sizeof(T) * static_cast<double>(n);
    }
    std::printf("%-14s", one.name);
    for (bool aot_kernels : {true, false}) {
      auto const map = kernels::host::MapEngine::bind(
          {*expression, type, shape, operands, outputs, aot_kernels});
      auto const time = best_time([&] { map->run_parallel(); }, n > 1000000 ? 7 : 1000);
      if (aot_kernels && map->aot_kernel().empty()) std::printf("  AOT kernel -              ");
      if (aot_kernels && map->aot_kernel().empty()) continue;
      if (n > 1000000)
        std::printf("  %s %6.1f GB/s (%3.0f %%)", aot_kernels ? "AOT kernel" : "bytecode",
                    bytes / time * 1e-9, 100 * bytes / time / triad);
      else
        std::printf("  %s %9.2f us", aot_kernels ? "AOT kernel" : "bytecode", time * 1e6);
    }
    std::printf("\n");
  }
}

template <class T>
double triad(std::size_t n) {
  std::vector<T> a(n, 1), b(n, 2), c(n, 3);
  T *const pa = a.data(), *const pb = b.data(), *const pc = c.data();
  auto const time = best_time(
      [&] {
        kernels::launch_on_threads(static_cast<std::int64_t>(n),
                                   [=](std::int64_t i) { pa[i] = pb[i] + T(0.5) * pc[i]; });
      },
      15);
  return 3 * sizeof(T) * static_cast<double>(n) / time;
}

}  // namespace

int main() {
  kernels::ComputeThreads const threads(omp_get_max_threads());
  std::printf("threads %d\n", static_cast<int>(kernels::ThreadTeam::size()));
  auto const f32 = triad<float>(1 << 24), f64 = triad<double>(1 << 23);
  std::printf("triad f32 %.1f GB/s, f64 %.1f GB/s\n", f32 * 1e-9, f64 * 1e-9);
  std::printf("f32 4096 x 3072\n");
  run_all<float>(4096, 3072, f32);
  std::printf("f64 2048 x 3072\n");
  run_all<double>(2048, 3072, f64);
  std::printf("f32 64 x 500\n");
  run_all<float>(64, 500, f32);
  std::printf("f32 64 x 10\n");
  run_all<float>(64, 10, f32);
}
