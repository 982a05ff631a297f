// Sums in double of registers of numbers as they are computed.
#include "kernels/host/reductions/row_sums.hpp"

#include <algorithm>

#include "kernels/element_types.hpp"
#include "kernels/host/load_numbers.hpp"
#include "kernels/host/prefetch.hpp"
#include "kernels/host/reductions/piece_kernel.hpp"
#include "kernels/map/aot_kernels.hpp"

namespace lbann::kernels::host {

namespace {

/// Rows shorter than this fill no registers.
constexpr std::int64_t least_row = 16;
/// Numbers of a row between two prefetches.
constexpr std::int64_t prefetched = 512;

/// The numbers themselves.
struct one_tensor : aot::Form<1, 0, 1, 0b0> {
  template <class V>
  static void define(V const* i, V const*, V* o) {
    o[0] = i[0];
  }
};

float number_at(View const& view, std::int64_t element) {
  return with_stored_type(
      view.type, [&](auto zero) { return convert<float>(view.as<decltype(zero)>()[element]); });
}

/// Sums in 16 lanes whatever the registers are.
class LaneSums {
 public:
  static constexpr int all = 16, own = lanes<float>, registers = all / own;

  void add(int r, Vector<float> x) {
    sums_[2 * r] += lower_doubles(x);
    sums_[2 * r + 1] += upper_doubles(x);
  }

  double total() const {
    double parts[all];
    for (int r = 0; r < 2 * registers; ++r) store_vector(parts + r * lanes<double>, sums_[r]);
    for (int half = all / 2; half > 0; half /= 2)
      for (int j = 0; j < half; ++j) parts[j] += parts[j + half];
    return parts[0];
  }

 private:
  Vector<double> sums_[2 * registers] = {};
};

/// One piece for each index: results, or partial ones, of its outputs. `I` is an AOT kernel of
/// arithmetic functions, `S` what its tensors are stored in.
template <class I, class S>
struct RowSums {
  View operands[I::operands];  ///< in the order of `I`
  ReduceLayout layout;
  int numbers[I::outputs];  ///< of the outputs of `I`
  double* partials;         ///< [piece][output][element]
  ReduceOutputs results;    ///< for a single piece

  /// What was computed in f32 is added so, up to four numbers at a time: conversions take longest.
  static constexpr int together = I::outputs == 1 ? 1 : 4;

  static constexpr bool is_number(std::size_t k) { return (I::variants[0] >> k & 1) != 0; }

  /// Adds a row of `count`; its tensors begin at `from`, `available` numbers before their end.
  static void add_row(S const* const* from, float const* fixed, std::int64_t count,
                      std::int64_t available, LaneSums* totals) {
    // In registers: an array that is passed is one in memory.
    LaneSums sums[I::outputs];
    for (std::size_t o = 0; o < I::outputs; ++o) sums[o] = totals[o];
    auto const compute = [&](auto const& load, Number<Vector<float>>* y) {
      Number<Vector<float>> x[I::operands];
      for (std::size_t k = 0; k < I::operands; ++k)
        x[k].value = is_number(k) ? broadcast(fixed[k]) : load(from[k]);
      I::define(x, x, y);
    };
    constexpr int all = LaneSums::all, own = LaneSums::own, step = together * all;
    std::int64_t i = 0;
    for (; i + step <= count; i += step) {
      if (i % prefetched == 0)
        for (std::size_t k = 0; k < I::operands; ++k)
          if (!is_number(k))
            prefetch(from[k] + i + prefetched, std::min(prefetched, available - i - prefetched));
#pragma GCC unroll 4
      for (int r = 0; r < LaneSums::registers; ++r) {
        Number<Vector<float>> y[together][I::outputs];
#pragma GCC unroll 4
        for (int t = 0; t < together; ++t)
          compute([&](S const* x) { return load_numbers(x + i + t * all + r * own); }, y[t]);
        for (std::size_t o = 0; o < I::outputs; ++o) {
#pragma GCC unroll 2
          for (int half = together / 2; half > 0; half /= 2)
#pragma GCC unroll 2
            for (int t = 0; t < half; ++t) y[t][o].value += y[t + half][o].value;
          sums[o].add(r, y[0][o].value);
        }
      }
    }
    for (; i < count; i += all)
#pragma GCC unroll 4
      for (int r = 0; r < LaneSums::registers; ++r) {
        auto const left = static_cast<int>(std::clamp<std::int64_t>(count - i - r * own, 0, own));
        Number<Vector<float>> y[I::outputs];
        compute(
            [&](S const* x) {
              auto const* const at = x + i + r * own;
              return left == own ? load_numbers(at) : load_first_numbers(at, left);
            },
            y);
        if (left > 0)
          for (std::size_t o = 0; o < I::outputs; ++o) sums[o].add(r, y[o].value);
      }
    for (std::size_t o = 0; o < I::outputs; ++o) totals[o] = sums[o];
  }

  void operator()(std::int64_t index) const {
    auto const piece = piece_of(layout, index);
    for (int c = 0; c < piece.c_count; ++c) {
      auto const element = piece.a * layout.c + piece.c_begin + c;
      float fixed[I::operands];
      for (std::size_t k = 0; k < I::operands; ++k)
        if (is_number(k)) fixed[k] = number_at(operands[k], element);
      LaneSums sums[I::outputs];
      for (auto b = piece.b_begin; b < piece.b_end; ++b) {
        auto const begin = piece.row(layout, b) + c * layout.d + piece.d_begin;
        S const* from[I::operands] = {};
        for (std::size_t k = 0; k < I::operands; ++k)
          if (!is_number(k)) from[k] = operands[k].template as<S>() + begin;
        add_row(from, fixed, piece.d_end - piece.d_begin, layout.elements() - begin, sums);
      }
      for (std::size_t o = 0; o < I::outputs; ++o)
        write_total(layout, piece, results, partials, numbers[o], c, sums[o].total());
    }
  }
};

/// Whether a view has one number for each output of the reduction.
bool is_of_outputs(View const& view, operators::reduce const& op, ReduceLayout const& layout) {
  auto const skipped = op.shape.rank() - view.rank;
  return view.elements() == layout.outputs() && std::ranges::all_of(op.axes, [&](auto axis) {
           auto const at = static_cast<std::size_t>(axis);
           return at < skipped || view.extents[at - skipped] == 1;
         });
}

/// Where operands are the tensors and numbers that `I` takes.
template <class I>
std::unique_ptr<Kernel> bind(Call const& call, ReducePlan const& plan,
                             std::vector<std::uint32_t> const& operands,
                             std::vector<std::uint32_t> const& outputs) {
  auto const& layout = plan.layout;
  std::optional<DataType> type;
  for (std::size_t k = 0; k < I::operands; ++k) {
    auto const& view = call.inputs[operands[k]];
    if (RowSums<I, float>::is_number(k)) {
      if (!is_of_outputs(view, operator_of<operators::reduce>(call), layout)) return nullptr;
      continue;
    }
    if (view.elements() != layout.elements()) return nullptr;
    if (type && *type != view.type) return nullptr;
    type = view.type;
  }
  if (type != DataType::f32 && !is_sixteen_bit(*type)) return nullptr;
  return with_factor_type(*type, [&](auto zero) -> std::unique_ptr<Kernel> {
    using S = decltype(zero);
    if constexpr (std::is_same_v<ComputeType<S>, float>) {
      RowSums<I, S> sums{
          {}, layout, {}, reinterpret_cast<double*>(call.scratch.data()), results_of(call)};
      for (std::size_t k = 0; k < I::operands; ++k) sums.operands[k] = call.inputs[operands[k]];
      for (std::size_t o = 0; o < I::outputs; ++o) sums.numbers[o] = static_cast<int>(outputs[o]);
      auto const cost = static_cast<double>(layout.elements()) * plan.code.cost;
      return std::make_unique<PieceKernel<RowSums<I, S>, ReduceMode::sum>>(sums, cost);
    } else {
      return nullptr;
    }
  });
}

}  // namespace

std::unique_ptr<Kernel> row_sums(Call const& call, ReducePlan const& plan) {
  auto const& op = operator_of<operators::reduce>(call);
  auto const& layout = plan.layout;
  if (op.mode != ReduceMode::sum || op.compute != DataType::f32 || layout.d < least_row ||
      layout.elements() == 0)
    return nullptr;
  auto const& nodes = op.expression.nodes;
  if (nodes.size() == 1 && nodes[0].kind == Node::Kind::operand)
    return bind<one_tensor>(call, plan, {nodes[0].arguments[0]}, {0});
  // Numbers have as many elements as there are outputs, which then are fewer than all elements.
  auto const match = match_aot_kernel(
      op.expression, [&](std::size_t k) { return call.inputs[k].elements() != layout.elements(); });
  if (!match || aot_kernel_name(match->kernel) != aot::normalise_sums::name) return nullptr;
  return bind<aot::normalise_sums>(call, plan, match->operands, match->outputs);
}

}  // namespace lbann::kernels::host
