// The layer `matmul`: one operator over all samples.
#include "compiler/layers/products/matmul.hpp"

#include "schemas/diagnostics/catalogue.hpp"

namespace lbann::compiler::layers {

std::optional<std::vector<Dims>> matmul::output_dims(LayerContext const& context) const {
  auto const &a = context.inputs[0], &b = context.inputs[1];
  auto const rank = a.size();
  for (std::size_t i = 0; i < 2; ++i)
    if (auto const axes = context.inputs[i].size(); axes != 2 && axes != 3) {
      context.report(diagnostics::input_axes, "",
                     {std::to_string(i), std::string(context.name), "two or three",
                      to_text(context.inputs[i])});
      return std::nullopt;
    }
  auto const misfit = [&](std::string why) {
    context.report(diagnostics::matrices_do_not_fit, "",
                   {std::string(context.name), to_text(a), to_text(b), std::move(why)});
    return std::nullopt;
  };
  if (b.size() != rank) return misfit("one of them has an axis more");
  if (rank == 3 && a[0] != b[0])
    return misfit("their first axes, along which pairs are multiplied, differ");
  auto const inner = a[transpose_a ? rank - 2 : rank - 1];
  auto const rows = b[transpose_b ? rank - 1 : rank - 2];
  if (inner != rows)
    return misfit("the inner extents " + std::to_string(inner) + " and " + std::to_string(rows) +
                  " differ");
  auto product = a;
  product[rank - 2] = a[transpose_a ? rank - 1 : rank - 2];
  product[rank - 1] = b[transpose_b ? rank - 2 : rank - 1];
  return std::vector<Dims>{std::move(product)};
}

void matmul::lower(LoweringContext& lowering) const {
  lowering.output(0, lowering.emit(operators::batched_matmul{transpose_a, transpose_b, {}, {}},
                                   {lowering.input(0), lowering.input(1)})[0]);
}

}  // namespace lbann::compiler::layers
