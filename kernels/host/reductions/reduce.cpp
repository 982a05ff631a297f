// CPU kernel of reduce: pieces fixed by the shape are reduced in parallel, then combined in order,
// so that results do not depend on the number of threads.
#include <limits>

#include "kernels/folds/reduce_plan.hpp"
#include "kernels/host/functor_kernel.hpp"
#include "kernels/host/map/cpu_memory.hpp"
#include "kernels/host/reductions/piece_kernel.hpp"
#include "kernels/host/reductions/row_sums.hpp"
#include "kernels/host/vector.hpp"
#include "kernels/kokkos/lanes.hpp"
#include "kernels/selection/list.hpp"

namespace lbann::kernels::host {

namespace {

/// Rows up to here are summed one element after another: lanes would not be full.
constexpr std::int64_t few_elements = 16;

/// A sum in double, in 32 lanes whatever the registers are, which are put together at its end.
class WideSum {
 public:
  template <class T>
  void add(T const* elements, std::int64_t count) {
    Vector<double> sums[registers];
    for (int r = 0; r < registers; ++r) sums[r] = sums_[r];
    std::int64_t i = 0;
    for (; i + all <= count; i += all)
#pragma GCC unroll 32
      for (int r = 0; r < registers; ++r) sums[r] += load_doubles(elements + i + r * own);
    for (int r = 0; r < registers; ++r) sums_[r] = sums[r];
    for (; i < count; ++i) rest_ += static_cast<double>(elements[i]);
  }

  double total() const {
    double parts[all];
    for (int r = 0; r < registers; ++r) store_vector(parts + r * own, sums_[r]);
    for (int half = all / 2; half > 0; half /= 2)
      for (int j = 0; j < half; ++j) parts[j] += parts[j + half];
    return parts[0] + rest_;
  }

 private:
  static constexpr int all = 32, own = lanes<double>, registers = all / own;
  Vector<double> sums_[registers] = {};
  double rest_ = 0;
};

/// One piece for each index: partial results of up to c_block elements of each output.
template <class T, ReduceMode mode>
struct ReducePieces {
  static constexpr int width = tile_width<T>;
  static constexpr int most = static_cast<int>(host_grain.outputs);

  MapCode code;
  T const* plain;  ///< the elements, if there is one output, an operand as it is
  ReduceLayout layout;
  double* partials;       ///< [piece][output][element]
  ReduceOutputs results;  ///< for a single piece

  /// `count` elements of the first output from `begin`, in memory or computed into `buffer`; those
  /// of each other output stand `width` behind.
  T const* values(std::int64_t begin, std::int64_t count, T* buffer) const {
    if (plain != nullptr) return plain + begin;
    run_map<T, width, CpuMemory>(code, begin, begin + count,
                                 {nullptr, buffer, results.count, width});
    return buffer;
  }

  double reduced(T const* elements, std::int64_t count) const {
    auto const value = [=](std::int64_t i) { return elements[i]; };
    if constexpr (mode == ReduceMode::sum)
      return kokkos::lane_sum<double>(count, value);
    else if constexpr (mode == ReduceMode::product)
      return kokkos::lane_fold<double>(count, 1, value, [](double a, double b) { return a * b; });
    else
      return static_cast<double>(kokkos::lane_fold<T>(
          count, start_of<mode, T>(), value, [](T a, T b) { return combined<mode>(a, b); }));
  }

  /// Adds the sums of as many of `count` rows of d contiguous elements as whole registers of sums
  /// hold; gives how many. Neighbours are added, then neighbouring sums.
  template <int d>
  static int add_registers_of_rows(double* totals, T const* elements, int count) {
    constexpr int n = lanes<double>;
    int c = 0;
    for (; c + n <= count; c += n, elements += n * d) {
      Vector<double> sums[d];
#pragma GCC unroll 16
      for (int i = 0; i < d; ++i) sums[i] = load_doubles(elements + i * n);
#pragma GCC unroll 4
      for (int left = d / 2; left > 0; left /= 2)
#pragma GCC unroll 8
        for (int i = 0; i < left; ++i)
          sums[i] = shuffle<EvenLanes, double>(sums[2 * i], sums[2 * i + 1]) +
                    shuffle<OddLanes, double>(sums[2 * i], sums[2 * i + 1]);
      store_vector(totals + c, load_vector(totals + c) + sums[0]);
    }
    return c;
  }

  /// Rows [c, c + count) of d contiguous elements each, all within one tile.
  void add_rows(double* totals, T const* elements, int count) const {
    if (layout.d == 1) {
#pragma omp simd
      for (int c = 0; c < count; ++c)
        totals[c] = combined<mode>(totals[c], static_cast<double>(elements[c]));
      return;
    }
    if constexpr (mode == ReduceMode::sum)
      if (layout.d <= few_elements) {
        int const done = layout.d == 2    ? add_registers_of_rows<2>(totals, elements, count)
                         : layout.d == 4  ? add_registers_of_rows<4>(totals, elements, count)
                         : layout.d == 8  ? add_registers_of_rows<8>(totals, elements, count)
                         : layout.d == 16 ? add_registers_of_rows<16>(totals, elements, count)
                                          : 0;
        for (int c = done; c < count; ++c) {
          double sum = 0;
          for (std::int64_t i = 0; i < layout.d; ++i)
            sum += static_cast<double>(elements[c * layout.d + i]);
          totals[c] += sum;
        }
        return;
      }
    for (int c = 0; c < count; ++c)
      totals[c] = combined<mode>(totals[c], reduced(elements + c * layout.d, layout.d));
  }

  void operator()(std::int64_t index) const {
    auto const piece = piece_of(layout, index);
    int const c_count = piece.c_count, outputs = results.count;
    double totals[most];
    for (int c = 0; c < outputs * c_count; ++c)
      totals[c] = static_cast<double>(start_of<mode, T>());
    alignas(64) T buffer[max_outputs * width];
    // Whole rows share a tile where they are short.
    int const rows = layout.d > 0 && layout.d <= width / 2 ? static_cast<int>(width / layout.d) : 0;
    for (std::int64_t b = piece.b_begin; b < piece.b_end; ++b) {
      std::int64_t const row = piece.row(layout, b);
      if (rows > 0) {
        for (int c = 0; c < c_count; c += rows) {
          int const count = c_count - c < rows ? c_count - c : rows;
          T const* const elements = values(row + c * layout.d, count * layout.d, buffer);
          for (int o = 0; o < outputs; ++o)
            add_rows(totals + o * c_count + c, elements + o * width, count);
        }
        continue;
      }
      if constexpr (mode == ReduceMode::sum) {
        for (int c = 0; c < c_count; ++c) {
          WideSum sums[max_outputs];
          for (std::int64_t d = piece.d_begin; d < piece.d_end; d += width) {
            std::int64_t const count = piece.d_end - d < width ? piece.d_end - d : width;
            T const* const elements = values(row + c * layout.d + d, count, buffer);
            for (int o = 0; o < outputs; ++o) sums[o].add(elements + o * width, count);
          }
          for (int o = 0; o < outputs; ++o) totals[o * c_count + c] += sums[o].total();
        }
      } else {
        for (int c = 0; c < c_count; ++c)
          for (std::int64_t d = piece.d_begin; d < piece.d_end; d += width) {
            std::int64_t const count = piece.d_end - d < width ? piece.d_end - d : width;
            T const* const elements = values(row + c * layout.d + d, count, buffer);
            for (int o = 0; o < outputs; ++o) {
              double& total = totals[o * c_count + c];
              total = combined<mode>(total, reduced(elements + o * width, count));
            }
          }
      }
    }
    for (int o = 0; o < outputs; ++o)
      for (int c = 0; c < c_count; ++c)
        write_total(layout, piece, results, partials, o, c, totals[o * c_count + c]);
  }
};

template <class T, ReduceMode mode>
std::unique_ptr<Kernel> bind_as(Call const& call, ReducePlan const& plan) {
  auto const& op = operator_of<operators::reduce>(call);
  T const* plain = nullptr;
  auto const& node = op.expression.nodes[op.expression.outputs[0]];
  if (call.outputs.size() == 1 && node.kind == Node::Kind::operand) {
    auto const& operand = plan.code.operands[node.arguments[0]];
    if (operand.access == Access::linear && operand.type == op.compute)
      plain = static_cast<T const*>(operand.data);
  }
  using Pieces = ReducePieces<T, mode>;
  auto const cost = static_cast<double>(plan.layout.elements()) * plan.code.cost;
  return std::make_unique<PieceKernel<Pieces, mode>>(
      Pieces{plan.code, plain, plan.layout, reinterpret_cast<double*>(call.scratch.data()),
             results_of(call)},
      cost);
}

}  // namespace

Implementation reduce_kernel() {
  return {"host", [](Call const& call) { return reduce_plan(call, host_grain).has_value(); },
          [](Call const& call) {
            auto const plan = *reduce_plan(call, host_grain);
            if (auto sums = row_sums(call, plan)) return sums;
            auto const& op = operator_of<operators::reduce>(call);
            return with_floating(op.compute, [&](auto zero) {
              return with_mode(op.mode, [&](auto mode) {
                return bind_as<decltype(zero), decltype(mode)::value>(call, plan);
              });
            });
          }};
}

}  // namespace lbann::kernels::host
