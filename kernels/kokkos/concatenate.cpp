// Portable kernel of concatenate: runs of memory copied into the whole.
#include "kernels/kokkos/copies.hpp"
#include "kernels/rows.hpp"
#include "kernels/selection/list.hpp"

namespace lbann::kernels::kokkos {

Implementation concatenate_kernel() {
  return {"kokkos", [](Call const&) { return true; },
          [](Call const& call) {
            auto const axis = operator_of<operators::concatenate>(call).axis;
            auto const unit = bytes_of(call.outputs[0].type);
            auto const [outer, inner, whole] = cut_of(call.outputs[0], axis);
            auto const bytes = inner * static_cast<std::int64_t>(unit);
            std::vector<Copy> copies;
            std::int64_t begin = 0;
            for (auto const& input : call.inputs) {
              auto const run = cut_of(input, axis).whole * bytes;
              copies.push_back({input.as<std::byte>(), call.outputs[0].as<std::byte>() + begin,
                                outer, run, run, whole * bytes});
              begin += run;
            }
            return copies_kernel(std::move(copies), unit);
          }};
}

}  // namespace lbann::kernels::kokkos
