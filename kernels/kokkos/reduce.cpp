// Portable kernel of reduce: pieces fixed by the shape are reduced in parallel, then put together
// in order, so that results do not depend on the number of threads.
#include <limits>

#include "kernels/kokkos/functor_kernel.hpp"
#include "kernels/kokkos/lanes.hpp"
#include "kernels/kokkos/map_core.hpp"
#include "kernels/kokkos/reduce_layout.hpp"
#include "kernels/kokkos/vector.hpp"
#include "kernels/selection/list.hpp"

namespace lbann::kernels::kokkos {

namespace {

using operators::ReduceMode;

template <ReduceMode mode, class T>
KOKKOS_FUNCTION T combined(T a, T b) {
  if constexpr (mode == ReduceMode::sum) return a + b;
  if constexpr (mode == ReduceMode::product) return a * b;
  if constexpr (mode == ReduceMode::max) return b > a ? b : a;
  if constexpr (mode == ReduceMode::min) return b < a ? b : a;
}

/// The result over nothing, of elements computed in T.
template <ReduceMode mode, class T>
KOKKOS_FUNCTION constexpr T start_of() {
  if constexpr (mode == ReduceMode::sum) return T(0);
  if constexpr (mode == ReduceMode::product) return T(1);
  if constexpr (mode == ReduceMode::max) return std::numeric_limits<T>::lowest();
  if constexpr (mode == ReduceMode::min) return std::numeric_limits<T>::max();
}

/// A sum in double, in 32 lanes whatever the registers are, which are put together at its end.
class WideSum {
 public:
  template <class T>
  KOKKOS_FUNCTION void add(T const* elements, std::int64_t count) {
    Vector<double> sums[registers];
    for (int r = 0; r < registers; ++r) sums[r] = sums_[r];
    std::int64_t i = 0;
    for (; i + all <= count; i += all)
#pragma GCC unroll 32
      for (int r = 0; r < registers; ++r) sums[r] += load_doubles(elements + i + r * own);
    for (int r = 0; r < registers; ++r) sums_[r] = sums[r];
    for (; i < count; ++i) rest_ += static_cast<double>(elements[i]);
  }

  KOKKOS_FUNCTION double total() const {
    double parts[all];
    for (int r = 0; r < registers; ++r) store_vector(parts + r * own, sums_[r]);
    for (int half = all / 2; half > 0; half /= 2)
      for (int j = 0; j < half; ++j) parts[j] += parts[j + half];
    return parts[0] + rest_;
  }

 private:
  static constexpr int all = on_host ? 32 : 1, own = lanes<double>, registers = all / own;
  Vector<double> sums_[registers] = {};
  double rest_ = 0;
};

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

/// The outputs of a reduction.
struct Results {
  Result outputs[max_outputs];
  int count;
};

/// One piece for each index: partial results of up to c_block elements of each output.
template <class T, ReduceMode mode>
struct ReducePieces {
  static constexpr int width = on_host ? host_width<T> : 16;
  static constexpr int most = on_host ? static_cast<int>(max_c_block) : max_outputs;

  MapCode code;
  T const* plain;  ///< the elements, if there is one output, an operand as it is
  ReduceLayout layout;
  double* partials;  ///< [piece][output][element]
  Results results;   ///< for a single piece

  /// `count` elements of the first output from `begin`, in memory or computed into `buffer`; those
  /// of each other output stand `width` behind.
  KOKKOS_FUNCTION T const* values(std::int64_t begin, std::int64_t count, T* buffer) const {
    if (plain != nullptr) return plain + begin;
    run_map<T, width>(code, begin, begin + count, {nullptr, buffer, results.count, width});
    return buffer;
  }

  KOKKOS_FUNCTION double reduced(T const* elements, std::int64_t count) const {
    auto const value = [=](std::int64_t i) { return elements[i]; };
    if constexpr (mode == ReduceMode::sum)
      return lane_sum<double>(count, value);
    else if constexpr (mode == ReduceMode::product)
      return lane_fold<double>(count, 1, value, [](double a, double b) { return a * b; });
    else
      return static_cast<double>(lane_fold<T>(count, start_of<mode, T>(), value,
                                              [](T a, T b) { return combined<mode>(a, b); }));
  }

  /// Rows [c, c + count) of d contiguous elements each, all within one tile.
  KOKKOS_FUNCTION void add_rows(double* totals, T const* elements, int count) const {
    if (layout.d == 1) {
#pragma omp simd
      for (int c = 0; c < count; ++c)
        totals[c] = combined<mode>(totals[c], static_cast<double>(elements[c]));
      return;
    }
    for (int c = 0; c < count; ++c)
      totals[c] = combined<mode>(totals[c], reduced(elements + c * layout.d, layout.d));
  }

  KOKKOS_FUNCTION void operator()(std::int64_t index) const {
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
    std::int64_t const first = piece.a * layout.c + piece.c_begin;
    for (int o = 0; o < outputs; ++o)
      for (int c = 0; c < c_count; ++c) {
        double const total = totals[o * c_count + c];
        if (layout.partials() == 1)
          results.outputs[o].set(first + c, total);
        else
          partials[(piece.partial * outputs + o) * layout.outputs() + first + c] = total;
      }
  }
};

/// Partial results of one element of one output for each index.
template <ReduceMode mode>
struct CombinePieces {
  double const* partials;
  std::int64_t count, elements;
  Results results;

  KOKKOS_FUNCTION void operator()(std::int64_t index) const {
    double total = partials[index];
    for (std::int64_t i = 1; i < count; ++i)
      total = combined<mode>(total, partials[i * results.count * elements + index]);
    results.outputs[index / elements].set(index % elements, total);
  }
};

template <class T, ReduceMode mode>
class Reduce : public Kernel {
 public:
  explicit Reduce(ReducePieces<T, mode> const& pieces) : pieces_(pieces) {
    count_ = pieces_of(pieces_.layout);
    cost_ = static_cast<double>(pieces_.layout.elements()) * pieces_.code.cost;
  }

  void run() override {
    auto const& layout = pieces_.layout;
    launch(count_, cost_, pieces_);
    auto const results = layout.outputs() * pieces_.results.count;
    if (layout.partials() > 1)
      launch(results, static_cast<double>(results * layout.partials()),
             CombinePieces<mode>{pieces_.partials, layout.partials(), layout.outputs(),
                                 pieces_.results});
  }

 private:
  ReducePieces<T, mode> pieces_;
  std::int64_t count_ = 0;
  double cost_ = 0;
};

struct Plan {
  MapCode code;
  ReduceLayout layout;
};

std::optional<Plan> plan_of(Call const& call) {
  auto const& op = operator_of<operators::reduce>(call);
  auto const shape = op.shape.at(call.samples);
  auto const outputs = static_cast<std::int64_t>(call.outputs.size());
  auto const layout = reduce_layout(shape, op.axes, on_host, outputs);
  if (!layout || outputs > static_cast<std::int64_t>(max_outputs) ||
      !is_loadable(call.outputs[0].type))
    return {};
  View value;
  value.type = op.compute;
  std::vector<View> const values(call.outputs.size(), value);
  auto const code = assemble({op.expression, op.compute, shape, call.inputs, values});
  if (!code) return {};
  auto const partials = layout->partials() == 1 ? 0 : layout->partials() * layout->outputs();
  if (partials * outputs * 8 > static_cast<std::int64_t>(call.scratch.size())) return {};
  return Plan{*code, *layout};
}

template <class T, ReduceMode mode>
std::unique_ptr<Kernel> bind_as(Call const& call, Plan const& plan) {
  auto const& op = operator_of<operators::reduce>(call);
  T const* plain = nullptr;
  auto const& node = op.expression.nodes[op.expression.outputs[0]];
  if (call.outputs.size() == 1 && node.kind == Node::Kind::operand) {
    auto const& operand = plan.code.operands[node.arguments[0]];
    if (operand.access == Access::linear && operand.type == op.compute)
      plain = static_cast<T const*>(operand.data);
  }
  Results results{{}, static_cast<int>(call.outputs.size())};
  for (std::size_t o = 0; o < call.outputs.size(); ++o)
    results.outputs[o] = {call.outputs[o].data, call.outputs[o].type};
  return std::make_unique<Reduce<T, mode>>(ReducePieces<T, mode>{
      plan.code, plain, plan.layout, reinterpret_cast<double*>(call.scratch.data()), results});
}

template <class T>
std::unique_ptr<Kernel> bind_mode(Call const& call, Plan const& plan) {
  switch (operator_of<operators::reduce>(call).mode) {
    case ReduceMode::sum:
      return bind_as<T, ReduceMode::sum>(call, plan);
    case ReduceMode::max:
      return bind_as<T, ReduceMode::max>(call, plan);
    case ReduceMode::min:
      return bind_as<T, ReduceMode::min>(call, plan);
    case ReduceMode::product:
      break;
  }
  return bind_as<T, ReduceMode::product>(call, plan);
}

}  // namespace

Implementation reduce_kernel() {
  return {"kokkos", [](Call const& call) { return plan_of(call).has_value(); },
          [](Call const& call) {
            auto const plan = *plan_of(call);
            auto const& op = operator_of<operators::reduce>(call);
            return with_floating(op.compute,
                                 [&](auto zero) { return bind_mode<decltype(zero)>(call, plan); });
          }};
}

}  // namespace lbann::kernels::kokkos
