// Portable kernel of slice: runs of memory copied out of the whole.
#include "kernels/kokkos/copies.hpp"
#include "kernels/rows.hpp"
#include "kernels/selection/list.hpp"

namespace lbann::kernels::kokkos {

Implementation slice_kernel() {
  return {"kokkos", [](Call const&) { return true; },
          [](Call const& call) {
            auto const& op = operator_of<operators::slice>(call);
            auto const unit = bytes_of(call.inputs[0].type);
            auto const [outer, inner, whole] = cut_of(call.inputs[0], op.axis);
            auto const bytes = inner * static_cast<std::int64_t>(unit);
            std::vector<Copy> copies;
            for (std::size_t i = 0; i < call.outputs.size(); ++i) {
              auto const run = (op.points[i + 1] - op.points[i]) * bytes;
              copies.push_back({call.inputs[0].as<std::byte>() + op.points[i] * bytes,
                                call.outputs[i].as<std::byte>(), outer, run, whole * bytes, run});
            }
            return copies_kernel(std::move(copies), unit);
          }};
}

}  // namespace lbann::kernels::kokkos
