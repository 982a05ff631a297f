// Cuts reductions into pieces of work.
#include "kernels/kokkos/reduce_layout.hpp"

#include <algorithm>

namespace lbann::kernels::kokkos {

namespace {

/// Elements worth a piece of work, and pieces that keep all threads busy to the end.
constexpr std::int64_t piece_elements = 4096, pieces = 32;

std::int64_t quotient_up(std::int64_t x, std::int64_t y) { return (x + y - 1) / y; }

}  // namespace

std::optional<ReduceLayout> reduce_layout(std::span<std::int64_t const> shape,
                                          std::span<std::int64_t const> axes, bool on_host,
                                          std::int64_t results) {
  ReduceLayout layout;
  std::int64_t* const groups[] = {&layout.z, &layout.a, &layout.b, &layout.c, &layout.d};
  // From the last axis to the first; `group` is even while axes are reduced.
  int group = 4;
  for (std::size_t i = shape.size(); i-- > 0;) {
    if (shape[i] == 1) continue;
    bool const reduced =
        std::find(axes.begin(), axes.end(), static_cast<std::int64_t>(i)) != axes.end();
    if (reduced != (group % 2 == 0)) --group;
    if (group < 0) return {};
    *groups[group] *= shape[i];
  }
  // On a device every output of a piece has a thread of its own.
  layout.c_block = on_host ? std::clamp<std::int64_t>(layout.c, 1, max_c_block / results) : 1;
  layout.c_blocks = quotient_up(layout.c, layout.c_block);
  auto const kept = std::max<std::int64_t>(1, layout.a * layout.c_blocks);
  auto const most = std::min(on_host ? pieces : max_partials,
                             layout.elements() / (on_host ? piece_elements : 64));
  auto const wanted = std::clamp<std::int64_t>(quotient_up(most, kept), 1, max_partials);
  layout.b_block = std::max<std::int64_t>(1, quotient_up(layout.reduced_rows(), wanted));
  layout.b_blocks = std::max<std::int64_t>(1, quotient_up(layout.reduced_rows(), layout.b_block));
  auto const along_d = std::clamp<std::int64_t>(
      wanted / layout.b_blocks, 1, std::max<std::int64_t>(1, layout.d / (on_host ? 2048 : 64)));
  layout.d_block = std::max<std::int64_t>(1, quotient_up(layout.d, along_d));
  layout.d_blocks = std::max<std::int64_t>(1, quotient_up(layout.d, layout.d_block));
  return layout;
}

}  // namespace lbann::kernels::kokkos
