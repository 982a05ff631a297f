// Portable kernel of reduce: pieces fixed by the shape are reduced in parallel, then put together
// in order, so that results do not depend on the number of threads.
#include <limits>

#include "kernels/kokkos/functor_kernel.hpp"
#include "kernels/kokkos/lanes.hpp"
#include "kernels/kokkos/map_core.hpp"
#include "kernels/kokkos/reduce_layout.hpp"
#include "kernels/selection/list.hpp"

namespace lbann::kernels::kokkos {

namespace {

template <bool sum>
KOKKOS_FUNCTION double combined(double a, double b) {
  if constexpr (sum)
    return a + b;
  else
    return b > a ? b : a;
}

/// Stores one result in the output's type.
struct Result {
  void* data;
  DataType type;

  KOKKOS_FUNCTION void set(std::int64_t index, double value) const {
    switch (type) {
      case DataType::f64:
        static_cast<double*>(data)[index] = value;
        return;
      case DataType::i32:
        static_cast<std::int32_t*>(data)[index] = convert<std::int32_t>(value);
        return;
      case DataType::i64:
        static_cast<std::int64_t*>(data)[index] = convert<std::int64_t>(value);
        return;
      case DataType::u8:
        static_cast<std::uint8_t*>(data)[index] = convert<std::uint8_t>(value);
        return;
      default:
        static_cast<float*>(data)[index] = static_cast<float>(value);
    }
  }
};

/// One piece for each index: partial results of up to c_block outputs.
template <class T, bool sum>
struct ReducePieces {
  static constexpr int width = on_host ? host_width<T> : 16;
  static constexpr int most = on_host ? static_cast<int>(max_c_block) : 1;

  MapCode code;
  T const* plain;  ///< the elements, if the expression is an operand as it is
  ReduceLayout layout;
  double* partials;  ///< [piece][output]
  Result result;     ///< for a single piece
  T lowest;

  /// `count` elements from `begin`, in memory or computed into `buffer`.
  KOKKOS_FUNCTION T const* values(std::int64_t begin, std::int64_t count, T* buffer) const {
    if (plain != nullptr) return plain + begin;
    run_map<T, width>(code, begin, begin + count, {nullptr, buffer});
    return buffer;
  }

  KOKKOS_FUNCTION double reduced(T const* elements, std::int64_t count) const {
    auto const value = [=](std::int64_t i) { return elements[i]; };
    if constexpr (sum)
      return lane_sum<double>(count, value);
    else
      return static_cast<double>(lane_max(count, lowest, value));
  }

  /// Rows [c, c + count) of d contiguous elements each, all within one tile.
  KOKKOS_FUNCTION void add_rows(double* totals, T const* elements, int count) const {
    if (layout.d == 1) {
#pragma omp simd
      for (int c = 0; c < count; ++c)
        totals[c] = combined<sum>(totals[c], static_cast<double>(elements[c]));
      return;
    }
    for (int c = 0; c < count; ++c)
      totals[c] = combined<sum>(totals[c], reduced(elements + c * layout.d, layout.d));
  }

  KOKKOS_FUNCTION void operator()(std::int64_t index) const {
    std::int64_t const d_index = index % layout.d_blocks;
    std::int64_t const b_index = index / layout.d_blocks % layout.b_blocks;
    std::int64_t const rest = index / layout.d_blocks / layout.b_blocks;
    std::int64_t const c_begin = rest % layout.c_blocks * layout.c_block;
    std::int64_t const a = rest / layout.c_blocks;
    auto const end_of = [](std::int64_t begin, std::int64_t step, std::int64_t end) {
      return begin + step < end ? begin + step : end;
    };
    int const c_count = static_cast<int>(end_of(c_begin, layout.c_block, layout.c) - c_begin);
    std::int64_t const b_begin = b_index * layout.b_block;
    std::int64_t const b_end = end_of(b_begin, layout.b_block, layout.reduced_rows());
    std::int64_t const d_begin = d_index * layout.d_block;
    std::int64_t const d_end = end_of(d_begin, layout.d_block, layout.d);

    double totals[most];
    for (int c = 0; c < c_count; ++c) totals[c] = sum ? 0 : static_cast<double>(lowest);
    alignas(64) T buffer[width];
    // Whole rows share a tile where they are short.
    int const rows = layout.d > 0 && layout.d <= width / 2 ? static_cast<int>(width / layout.d) : 0;
    for (std::int64_t b = b_begin; b < b_end; ++b) {
      std::int64_t const outer = (b / layout.b * layout.a + a) * layout.b + b % layout.b;
      std::int64_t const row = (outer * layout.c + c_begin) * layout.d;
      if (rows > 0) {
        for (int c = 0; c < c_count; c += rows) {
          int const count = c_count - c < rows ? c_count - c : rows;
          add_rows(totals + c, values(row + c * layout.d, count * layout.d, buffer), count);
        }
        continue;
      }
      for (int c = 0; c < c_count; ++c)
        for (std::int64_t d = d_begin; d < d_end; d += width) {
          std::int64_t const count = d_end - d < width ? d_end - d : width;
          totals[c] = combined<sum>(totals[c],
                                    reduced(values(row + c * layout.d + d, count, buffer), count));
        }
    }
    std::int64_t const output = a * layout.c + c_begin;
    if (layout.partials() == 1) {
      for (int c = 0; c < c_count; ++c) result.set(output + c, totals[c]);
      return;
    }
    double* const to = partials + (b_index * layout.d_blocks + d_index) * layout.outputs() + output;
    for (int c = 0; c < c_count; ++c) to[c] = totals[c];
  }
};

/// Partial results of one output for each index.
template <bool sum>
struct CombinePieces {
  double const* partials;
  std::int64_t count, outputs;
  Result result;

  KOKKOS_FUNCTION void operator()(std::int64_t output) const {
    double total = partials[output];
    for (std::int64_t i = 1; i < count; ++i)
      total = combined<sum>(total, partials[i * outputs + output]);
    result.set(output, total);
  }
};

template <class T, bool sum>
class Reduce : public Kernel {
 public:
  explicit Reduce(ReducePieces<T, sum> const& pieces) : pieces_(pieces) {
    auto const& layout = pieces_.layout;
    count_ = layout.a * layout.b_blocks * layout.c_blocks * layout.d_blocks;
    cost_ = static_cast<double>(layout.elements()) * pieces_.code.cost;
  }

  void run() override {
    auto const& layout = pieces_.layout;
    launch(count_, cost_, pieces_);
    if (layout.partials() > 1)
      launch(layout.outputs(), static_cast<double>(layout.outputs() * layout.partials()),
             CombinePieces<sum>{pieces_.partials, layout.partials(), layout.outputs(),
                                pieces_.result});
  }

 private:
  ReducePieces<T, sum> pieces_;
  std::int64_t count_ = 0;
  double cost_ = 0;
};

struct Plan {
  MapCode code;
  ReduceLayout layout;
};

std::optional<Plan> plan_of(Call const& call) {
  auto const& op = operator_of<operators::reduce>(call);
  if (call.outputs.size() != 1 || op.mode == operators::ReduceMode::min ||
      op.mode == operators::ReduceMode::product)
    return {};
  auto const shape = op.shape.at(call.samples);
  auto const layout = reduce_layout(shape, op.axes, on_host);
  if (!layout || !is_loadable(call.outputs[0].type)) return {};
  View values;
  values.type = op.compute;
  auto const code = assemble({op.expression, op.compute, shape, call.inputs, {&values, 1}});
  if (!code) return {};
  auto const scratch = layout->partials() == 1 ? 0 : layout->partials() * layout->outputs() * 8;
  if (scratch > static_cast<std::int64_t>(call.scratch.size())) return {};
  return Plan{*code, *layout};
}

template <class T, bool sum>
std::unique_ptr<Kernel> bind_as(Call const& call, Plan const& plan) {
  auto const& op = operator_of<operators::reduce>(call);
  T const* plain = nullptr;
  auto const& node = op.expression.nodes[op.expression.outputs[0]];
  if (node.kind == Node::Kind::operand) {
    auto const& operand = plan.code.operands[node.arguments[0]];
    if (operand.access == Access::linear && operand.type == op.compute)
      plain = static_cast<T const*>(operand.data);
  }
  return std::make_unique<Reduce<T, sum>>(
      ReducePieces<T, sum>{plan.code,
                           plain,
                           plan.layout,
                           reinterpret_cast<double*>(call.scratch.data()),
                           {call.outputs[0].data, call.outputs[0].type},
                           std::numeric_limits<T>::lowest()});
}

}  // namespace

Implementation reduce_kernel() {
  return {"kokkos", [](Call const& call) { return plan_of(call).has_value(); },
          [](Call const& call) {
            auto const plan = *plan_of(call);
            auto const& op = operator_of<operators::reduce>(call);
            return with_floating(op.compute, [&](auto zero) {
              using T = decltype(zero);
              return op.mode == operators::ReduceMode::sum ? bind_as<T, true>(call, plan)
                                                           : bind_as<T, false>(call, plan);
            });
          }};
}

}  // namespace lbann::kernels::kokkos
