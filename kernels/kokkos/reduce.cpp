// Portable kernel of reduce: a piece of one output for each block of lanes, then partial results in
// order, so that results do not depend on the number of threads.
#include "kernels/kokkos/aot_element.hpp"
#include "kernels/kokkos/folds.hpp"
#include "kernels/kokkos/map_element.hpp"
#include "kernels/kokkos/reductions.hpp"
#include "kernels/selection/list.hpp"
#include "kernels/shapes/reduce_layout.hpp"

namespace lbann::kernels::kokkos {

namespace {

// What is reduced: for each index as many numbers as there are outputs.

/// A tensor as it lies in memory.
template <class T>
struct PlainValues {
  T const* values;
  KOKKOS_FUNCTION void get(std::int64_t index, T* numbers) const { numbers[0] = values[index]; }
};

template <class T>
struct MapValues {
  MapCode code;
  bool placed;  ///< see MapElement
  KOKKOS_FUNCTION void get(std::int64_t index, T* numbers) const {
    MapElement<T> const element(code, placed, index);
    for (int o = 0; o < code.output_count; ++o) numbers[o] = element.output(o);
  }
};

template <class T, class Aot>
struct AotValues {
  AotElement<T, Aot> element;
  KOKKOS_FUNCTION void get(std::int64_t index, T* numbers) const {
    Number<T> out[Aot::outputs];
    element.compute(index, out);
    for (std::size_t j = 0; j < Aot::outputs; ++j) numbers[element.output(j)] = out[j].value;
  }
};

template <int outputs>
struct Totals {
  double of[outputs];
};

/// A piece of one element of each output for each index; the lanes share out its elements.
template <class T, class Values, ReduceMode mode, int most>
struct ReducePieces {
  using Value = Totals<most>;
  static constexpr int folds = 1;

  Values values;
  ReduceLayout layout;
  double* partials;  ///< [piece][output][element]
  Results results;   ///< for a single piece

  /// Neighbouring lanes read neighbouring elements.
  KOKKOS_FUNCTION Value part(Lane const& lane, int, Value const*) const {
    auto const piece = piece_of(layout, lane.index);
    auto const length = piece.d_end - piece.d_begin, elements = piece.elements();
    Value totals;
    for (int o = 0; o < most; ++o) totals.of[o] = static_cast<double>(start_of<mode, T>());
    for (std::int64_t i = lane.lane; i < elements; i += lane.lanes) {
      auto const [b, d] = divide(i, length);
      T numbers[most];
      values.get(piece.row(layout, piece.b_begin + b) + piece.d_begin + d, numbers);
      for (int o = 0; o < most; ++o)
        if (o < results.count)
          totals.of[o] = combined<mode>(totals.of[o], static_cast<double>(numbers[o]));
    }
    return totals;
  }

  KOKKOS_FUNCTION Value combine(int, Value a, Value const& b) const {
    for (int o = 0; o < most; ++o) a.of[o] = combined<mode>(a.of[o], b.of[o]);
    return a;
  }

  KOKKOS_FUNCTION void finish(Lane const& lane, Value const* totals) const {
    if (lane.lane != 0) return;
    auto const piece = piece_of(layout, lane.index);
    std::int64_t const element = piece.a * layout.c + piece.c_begin;
    for (int o = 0; o < results.count; ++o)
      if (layout.partials() == 1)
        results.outputs[o].set(element, totals->of[o]);
      else
        partials[(piece.partial * results.count + o) * layout.outputs() + element] = totals->of[o];
  }
};

template <class Pieces, ReduceMode mode>
class Reduce : public Kernel {
 public:
  Reduce(Pieces const& pieces, double cost) : pieces_(pieces), cost_(cost) {}

  void run() override {
    auto const& layout = pieces_.layout;
    launch_folds(pieces_of(layout), lanes_for(most_elements_of_piece(layout)), cost_, pieces_);
    auto const results = layout.outputs() * pieces_.results.count;
    if (layout.partials() > 1)
      launch(results, static_cast<double>(results * layout.partials()),
             CombinePieces<mode>{pieces_.partials, layout.partials(), layout.outputs(),
                                 pieces_.results});
  }

 private:
  Pieces pieces_;
  double cost_;
};

/// The operand of an expression that is nothing but it, as it lies in memory; else null.
template <class T>
T const* plain_values(operators::reduce const& op, MapCode const& code, Call const& call) {
  auto const& nodes = op.expression.nodes;
  if (nodes.size() != 1 || nodes[0].kind != Node::Kind::operand || code.operand_count != 1 ||
      call.outputs.size() != 1)
    return nullptr;
  auto const& operand = code.operands[0];
  bool const plain = operand.access == Access::linear && operand.type == op.compute;
  return plain ? call.inputs[0].as<T const>() : nullptr;
}

template <class T, ReduceMode mode, int most, class Values>
std::unique_ptr<Kernel> bind_reduce(Call const& call, ReducePlan const& plan,
                                    Values const& values) {
  using Pieces = ReducePieces<T, Values, mode, most>;
  auto const cost = static_cast<double>(plan.layout.elements()) * plan.code.cost;
  return std::make_unique<Reduce<Pieces, mode>>(
      Pieces{values, plan.layout, reinterpret_cast<double*>(call.scratch.data()), results_of(call)},
      cost);
}

/// The sums of a batch normalisation's gradient, over all that it normalises: the one reduction of
/// several results that is worth a kernel of its own. Null for others.
template <class T>
std::unique_ptr<Kernel> bind_normalise_sums(Call const& call) {
  using Sums = aot::normalise_sums;
  auto const plan = reduce_plan(call, device_grain);
  if (!plan || plan->code.aot_kernel == 0 || aot_kernel_name(plan->code.aot_kernel) != Sums::name)
    return nullptr;
  auto const element = AotElement<T, Sums>::bind(plan->code);
  if (!element) return nullptr;
  return bind_reduce<T, ReduceMode::sum, Sums::outputs>(call, *plan, AotValues<T, Sums>{*element});
}

std::optional<ReducePlan> plan_of(Call const& call) {
  return reduce_plan(call, device_grain, false);
}

template <class T, ReduceMode mode>
std::unique_ptr<Kernel> bind_by_values(Call const& call) {
  if constexpr (mode == ReduceMode::sum)
    if (auto kernel = bind_normalise_sums<T>(call)) return kernel;
  auto const plan = *plan_of(call);
  auto const& op = operator_of<operators::reduce>(call);
  if (auto const* const values = plain_values<T>(op, plan.code, call))
    return bind_reduce<T, mode, 1>(call, plan, PlainValues<T>{values});
  MapValues<T> const map{plan.code, MapElement<T>::needs_place(plan.code)};
  return call.outputs.size() == 1 ? bind_reduce<T, mode, 1>(call, plan, map)
                                  : bind_reduce<T, mode, max_outputs>(call, plan, map);
}

}  // namespace

Implementation reduce_kernel() {
  return {"kokkos", [](Call const& call) { return plan_of(call).has_value(); },
          [](Call const& call) {
            auto const& op = operator_of<operators::reduce>(call);
            return with_floating(op.compute, [&](auto zero) {
              return with_mode(op.mode, [&](auto mode) {
                return bind_by_values<decltype(zero), decltype(mode)::value>(call);
              });
            });
          }};
}

}  // namespace lbann::kernels::kokkos
