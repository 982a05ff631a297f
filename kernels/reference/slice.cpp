// Reference kernel of slice: element by element.
#include "kernels/reference/loop.hpp"
#include "kernels/rows.hpp"
#include "kernels/selection/list.hpp"

namespace lbann::kernels::reference {

namespace {

void run(Arguments<operators::slice> const& call) {
  auto const [outer, inner, whole] = cut_of(call.inputs[0], call.op.axis);
  for (std::size_t piece = 0; piece < call.outputs.size(); ++piece) {
    auto const begin = call.op.points[piece], extent = call.op.points[piece + 1] - begin;
    for (std::int64_t o = 0; o < outer; ++o)
      for (std::int64_t a = 0; a < extent; ++a)
        for (std::int64_t i = 0; i < inner; ++i)
          set(call.outputs[piece], (o * extent + a) * inner + i,
              get(call.inputs[0], (o * whole + begin + a) * inner + i));
  }
}

}  // namespace

Implementation slice_kernel() { return loop<operators::slice, run>(); }

}  // namespace lbann::kernels::reference
