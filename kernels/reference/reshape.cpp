// Reference kernel of reshape: the output lies where the input lies; elsewhere it is a copy.
#include "kernels/reference/loop.hpp"
#include "kernels/rows.hpp"
#include "kernels/selection/list.hpp"

namespace lbann::kernels::reference {

namespace {

void run(Arguments<operators::reshape> const& call) {
  for (std::int64_t i = 0; i < call.inputs[0].elements(); ++i)
    set(call.outputs[0], i, get(call.inputs[0], i));
}

}  // namespace

Implementation reshape_kernel() { return loop<operators::reshape, run>(); }

}  // namespace lbann::kernels::reference
