// Portable kernel of reduce: a piece of one output for each block of lanes, then partial results in
// order, so that results do not depend on the number of threads.
#include "kernels/kokkos/folds.hpp"
#include "kernels/kokkos/map_element.hpp"
#include "kernels/kokkos/reductions.hpp"
#include "kernels/selection/list.hpp"
#include "kernels/shapes/reduce_layout.hpp"

namespace lbann::kernels::kokkos {

namespace {

template <int outputs>
struct Totals {
  double of[outputs];
};

/// A piece of one element of each output for each index; the lanes share out its elements.
template <class T, ReduceMode mode, int most>
struct ReducePieces {
  using Value = Totals<most>;
  static constexpr int folds = 1;

  MapCode code;
  T const* values;  ///< of the only operand, where that is what is reduced; else null
  ReduceLayout layout;
  double* partials;  ///< [piece][output][element]
  Results results;   ///< for a single piece

  /// Neighbouring lanes read neighbouring elements.
  KOKKOS_FUNCTION Value part(Lane const& lane, int, Value const*) const {
    auto const piece = piece_of(layout, lane.index);
    auto const length = piece.d_end - piece.d_begin, elements = piece.elements();
    Value totals;
    for (int o = 0; o < results.count; ++o) totals.of[o] = static_cast<double>(start_of<mode, T>());
    for (std::int64_t i = lane.lane; i < elements; i += lane.lanes) {
      auto const b = length == 1 ? i : i / length, d = length == 1 ? 0 : i % length;
      add(piece.row(layout, piece.b_begin + b) + piece.d_begin + d, totals);
    }
    return totals;
  }

  KOKKOS_FUNCTION Value combine(int, Value a, Value const& b) const {
    for (int o = 0; o < results.count; ++o) a.of[o] = combined<mode>(a.of[o], b.of[o]);
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

 private:
  KOKKOS_FUNCTION void add(std::int64_t index, Value& totals) const {
    if (values != nullptr) {
      totals.of[0] = combined<mode>(totals.of[0], static_cast<double>(values[index]));
      return;
    }
    MapElement<T> const element(code, index);
    for (int o = 0; o < results.count; ++o)
      totals.of[o] = combined<mode>(totals.of[o], static_cast<double>(element.output(o)));
  }
};

template <class Pieces, ReduceMode mode>
class Reduce : public Kernel {
 public:
  explicit Reduce(Pieces const& pieces) : pieces_(pieces) {
    lanes_ = lanes_for(piece_of(pieces.layout, 0).elements());
  }

  void run() override {
    auto const& layout = pieces_.layout;
    launch_folds(pieces_of(layout), lanes_,
                 static_cast<double>(layout.elements()) * pieces_.code.cost, pieces_);
    auto const results = layout.outputs() * pieces_.results.count;
    if (layout.partials() > 1)
      launch(results, static_cast<double>(results * layout.partials()),
             CombinePieces<mode>{pieces_.partials, layout.partials(), layout.outputs(),
                                 pieces_.results});
  }

 private:
  Pieces pieces_;
  int lanes_;
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

std::optional<ReducePlan> plan_of(Call const& call) {
  return reduce_plan(call, device_grain, false);
}

template <class T, ReduceMode mode, int most>
std::unique_ptr<Kernel> bind_reduce(Call const& call) {
  using Pieces = ReducePieces<T, mode, most>;
  auto const plan = *plan_of(call);
  return std::make_unique<Reduce<Pieces, mode>>(
      Pieces{plan.code, plain_values<T>(operator_of<operators::reduce>(call), plan.code, call),
             plan.layout, reinterpret_cast<double*>(call.scratch.data()), results_of(call)});
}

}  // namespace

Implementation reduce_kernel() {
  return {"kokkos", [](Call const& call) { return plan_of(call).has_value(); },
          [](Call const& call) {
            auto const& op = operator_of<operators::reduce>(call);
            return with_floating(op.compute, [&](auto zero) {
              return with_mode(op.mode, [&](auto mode) {
                using T = decltype(zero);
                constexpr auto fixed = decltype(mode)::value;
                return call.outputs.size() == 1 ? bind_reduce<T, fixed, 1>(call)
                                                : bind_reduce<T, fixed, max_outputs>(call);
              });
            });
          }};
}

}  // namespace lbann::kernels::kokkos
