// Cuts reductions into pieces of work.
#include "kernels/shapes/reduce_layout.hpp"

#include <algorithm>

namespace lbann::kernels {

namespace {

/// Elements of one output in a block of rows that pay for a partial result of their own.
constexpr std::int64_t block_elements = 1024;

std::int64_t quotient_up(std::int64_t x, std::int64_t y) { return (x + y - 1) / y; }

}  // namespace

std::optional<ReduceLayout> reduce_layout(std::span<std::int64_t const> shape,
                                          std::span<std::int64_t const> axes,
                                          ReduceGrain const& grain, std::int64_t results) {
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
  auto const most = std::min(grain.pieces, layout.elements() / grain.piece_elements);
  auto const row_blocks = std::clamp<std::int64_t>(
      std::min({layout.reduced_rows(), layout.reduced_rows() * layout.d / block_elements, most,
                max_partial_results / std::max<std::int64_t>(1, layout.outputs())}),
      1, grain.row_blocks);
  // Outputs of their own rather than parts of sums, as far as pieces read enough side by side.
  auto const least = quotient_up(grain.row_elements, std::max<std::int64_t>(1, layout.d));
  auto const share = quotient_up(layout.outputs(), std::max<std::int64_t>(1, most / row_blocks));
  auto const largest = std::max<std::int64_t>(1, grain.outputs / results);
  layout.c_block = std::min({std::max<std::int64_t>(layout.c, 1), std::max(least, share), largest});
  layout.c_blocks = quotient_up(layout.c, layout.c_block);
  auto const kept = std::max<std::int64_t>(1, layout.a * layout.c_blocks);
  auto const wanted = std::clamp<std::int64_t>(quotient_up(most, kept), row_blocks, max_partials);
  layout.b_block = std::max<std::int64_t>(1, quotient_up(layout.reduced_rows(), wanted));
  layout.b_blocks = std::max<std::int64_t>(1, quotient_up(layout.reduced_rows(), layout.b_block));
  auto const along_d = std::clamp<std::int64_t>(
      wanted / layout.b_blocks, 1, std::max<std::int64_t>(1, layout.d / grain.row_elements));
  layout.d_block = std::max<std::int64_t>(1, quotient_up(layout.d, along_d));
  layout.d_blocks = std::max<std::int64_t>(1, quotient_up(layout.d, layout.d_block));
  return layout;
}

}  // namespace lbann::kernels
