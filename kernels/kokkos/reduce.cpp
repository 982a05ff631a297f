// Portable kernel of reduce: a piece of one output for each block of lanes, then partial results in
// order, so that results do not depend on the number of threads.
#include "kernels/folds/reduce_plan.hpp"
#include "kernels/jit/reduce_function.hpp"
#include "kernels/kokkos/aot_element.hpp"
#include "kernels/kokkos/folds.hpp"
#include "kernels/kokkos/map_element.hpp"
#include "kernels/selection/list.hpp"
#include "kernels/shapes/reduce_layout.hpp"

namespace lbann::kernels::kokkos {

namespace {

// What is reduced: for each index as many numbers as there are outputs.

/// A tensor as it lies in memory.
template <class T>
struct PlainValues {
  static constexpr int at_once = 4;
  T const* values;
  KOKKOS_FUNCTION void get(std::int64_t index, T* numbers) const { numbers[0] = values[index]; }
};

template <class T>
struct MapValues {
  static constexpr int at_once = 1;  ///< as the code of an element is large
  MapCode code;
  bool placed;  ///< see MapElement
  KOKKOS_FUNCTION void get(std::int64_t index, T* numbers) const {
    MapElement<T> const element(code, placed, index);
    for (int o = 0; o < code.output_count; ++o) numbers[o] = element.output(o);
  }
};

template <class T, class Aot>
struct AotValues {
  static constexpr int at_once = 4;
  AotElement<T, Aot> element;
  KOKKOS_FUNCTION void get(std::int64_t index, T* numbers) const {
    Number<T> out[Aot::outputs];
    element.compute(index, out);
    for (std::size_t j = 0; j < Aot::outputs; ++j) numbers[element.output(j)] = out[j].value;
  }
};

/// Reduces all pieces by a functor that was compiled ahead of time.
template <class Pieces>
struct LaunchPieces {
  Pieces pieces;
  double cost;
  void run() const {
    auto const& layout = pieces.layout;
    launch_folds(pieces_of(layout), lanes_for(most_elements_of_piece(layout)), cost, pieces);
  }
};

/// `Launch` reduces the pieces: `run()`.
template <class Launch, ReduceMode mode>
class Reduce : public Kernel {
 public:
  Reduce(Launch launch, ReduceLayout const& layout, double* partials, ReduceOutputs const& results)
      : launch_(std::move(launch)), layout_(layout), partials_(partials), results_(results) {}

  void run() override {
    launch_.run();
    auto const results = layout_.outputs() * results_.count;
    if (layout_.partials() > 1)
      launch(results, static_cast<double>(results * layout_.partials()),
             CombinePieces<mode>{partials_, layout_.partials(), layout_.outputs(), results_});
  }

 private:
  Launch launch_;
  ReduceLayout layout_;
  double* partials_;
  ReduceOutputs results_;
};

template <ReduceMode mode, class Launch>
std::unique_ptr<Kernel> reduce_by(Launch launch, Call const& call, ReduceLayout const& layout) {
  return std::make_unique<Reduce<Launch, mode>>(
      std::move(launch), layout, reinterpret_cast<double*>(call.scratch.data()), results_of(call));
}

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
  Pieces const pieces{values, plan.layout, reinterpret_cast<double*>(call.scratch.data()),
                      results_of(call)};
  return reduce_by<mode>(LaunchPieces<Pieces>{pieces, cost}, call, plan.layout);
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
  auto const plan = *plan_of(call);
  auto const& op = operator_of<operators::reduce>(call);
  if (auto function = jit::ReduceFunction::bind(plan.code, mode, plan.layout,
                                                reinterpret_cast<double*>(call.scratch.data()),
                                                results_of(call)))
    return reduce_by<mode>(*std::move(function), call, plan.layout);
  if constexpr (mode == ReduceMode::sum)
    if (auto kernel = bind_normalise_sums<T>(call)) return kernel;
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
