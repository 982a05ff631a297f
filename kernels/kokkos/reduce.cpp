// Portable kernel of reduce: a piece of one output for each index, then partial results in order,
// so that results do not depend on the number of threads.
#include "kernels/kokkos/functor_kernel.hpp"
#include "kernels/kokkos/map_interpreter.hpp"
#include "kernels/kokkos/reductions.hpp"
#include "kernels/selection/list.hpp"
#include "kernels/shapes/reduce_layout.hpp"

namespace lbann::kernels::kokkos {

namespace {

/// One piece for each index: one element of each output.
template <class T, ReduceMode mode>
struct ReducePieces {
  static constexpr int width = 4 * device_width;

  MapCode code;
  ReduceLayout layout;
  double* partials;  ///< [piece][output][element]
  Results results;   ///< for a single piece

  KOKKOS_FUNCTION void operator()(std::int64_t index) const {
    auto const piece = piece_of(layout, index);
    int const outputs = results.count;
    double totals[max_outputs];
    for (int o = 0; o < outputs; ++o) totals[o] = static_cast<double>(start_of<mode, T>());
    for (std::int64_t b = piece.b_begin; b < piece.b_end; ++b) {
      std::int64_t const row = piece.row(layout, b);
      for (std::int64_t d = piece.d_begin; d < piece.d_end; d += width) {
        std::int64_t const rest = piece.d_end - d, count = rest < width ? rest : width;
        T values[max_outputs * width];
        run_map<T, width, PlainMemory>(code, row + d, row + d + count,
                                       {nullptr, values, outputs, width});
        for (int o = 0; o < outputs; ++o)
          for (std::int64_t i = 0; i < count; ++i)
            totals[o] = combined<mode>(totals[o], static_cast<double>(values[o * width + i]));
      }
    }
    std::int64_t const element = piece.a * layout.c + piece.c_begin;
    for (int o = 0; o < outputs; ++o)
      if (layout.partials() == 1)
        results.outputs[o].set(element, totals[o]);
      else
        partials[(piece.partial * outputs + o) * layout.outputs() + element] = totals[o];
  }
};

template <class T, ReduceMode mode>
class Reduce : public Kernel {
 public:
  explicit Reduce(ReducePieces<T, mode> const& pieces) : pieces_(pieces) {}

  void run() override {
    auto const& layout = pieces_.layout;
    launch(pieces_of(layout), static_cast<double>(layout.elements()) * pieces_.code.cost, pieces_);
    auto const results = layout.outputs() * pieces_.results.count;
    if (layout.partials() > 1)
      launch(results, static_cast<double>(results * layout.partials()),
             CombinePieces<mode>{pieces_.partials, layout.partials(), layout.outputs(),
                                 pieces_.results});
  }

 private:
  ReducePieces<T, mode> pieces_;
};

}  // namespace

Implementation reduce_kernel() {
  return {"kokkos", [](Call const& call) { return reduce_plan(call, device_grain).has_value(); },
          [](Call const& call) {
            auto const plan = *reduce_plan(call, device_grain);
            auto const& op = operator_of<operators::reduce>(call);
            return with_floating(op.compute, [&](auto zero) {
              return with_mode(op.mode, [&](auto mode) -> std::unique_ptr<Kernel> {
                using T = decltype(zero);
                constexpr auto fixed = decltype(mode)::value;
                return std::make_unique<Reduce<T, fixed>>(ReducePieces<T, fixed>{
                    plan.code, plan.layout, reinterpret_cast<double*>(call.scratch.data()),
                    results_of(call)});
              });
            });
          }};
}

}  // namespace lbann::kernels::kokkos
