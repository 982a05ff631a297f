// A reduction by pieces: all of them in parallel, then their partial results in order.
#pragma once

#include "kernels/folds/reduce_plan.hpp"
#include "kernels/tasks.hpp"

namespace lbann::kernels::host {

/// Writes the total of element `c` of a piece's: a result where the output is one piece, else a
/// partial one.
inline void write_total(ReduceLayout const& layout, ReducePiece const& piece,
                        ReduceOutputs const& results, double* partials, int output, int c,
                        double total) {
  auto const element = piece.a * layout.c + piece.c_begin + c;
  if (layout.partials() == 1)
    results.outputs[output].set(element, total);
  else
    partials[(piece.partial * results.count + output) * layout.outputs() + element] = total;
}

/// `Pieces` is called with the index of each piece and has `layout`, `partials` and `results`.
template <class Pieces, ReduceMode mode>
class PieceKernel : public Kernel {
 public:
  /// `cost` as in `launch_on_threads`.
  PieceKernel(Pieces const& pieces, double cost) : pieces_(pieces), cost_(cost) {}

  void run() override {
    auto const& layout = pieces_.layout;
    launch_on_threads(pieces_of(layout), cost_, pieces_);
    auto const results = layout.outputs() * pieces_.results.count;
    if (layout.partials() > 1)
      launch_on_threads(results, static_cast<double>(results * layout.partials()),
                        CombinePieces<mode>{pieces_.partials, layout.partials(), layout.outputs(),
                                            pieces_.results});
  }

 private:
  Pieces pieces_;
  double cost_;
};

}  // namespace lbann::kernels::host
