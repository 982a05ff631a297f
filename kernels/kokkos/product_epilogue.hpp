// Where a product lies before its epilogue, and the epilogue bound to it.
#pragma once

#include <optional>

#include "kernels/kokkos/map_engine.hpp"

namespace lbann::kernels::kokkos {

/// Number of the output that can hold the product of type `type` while the epilogue runs: without
/// epilogue the first, else one of that type that shares no memory with an input.
inline std::optional<std::size_t> holder_of_product(Call const& call, DataType type) {
  auto begin = [](View const& view) { return static_cast<std::byte const*>(view.data); };
  auto end = [&](View const& view) {
    return begin(view) + view.elements() * static_cast<std::int64_t>(bytes_of(view.type));
  };
  for (std::size_t o = 0; o < call.outputs.size(); ++o) {
    auto const& output = call.outputs[o];
    if (output.type != type) continue;
    bool free = true;
    for (auto const& input : call.inputs)
      free = free && (begin(output) >= end(input) || begin(input) >= end(output));
    if (free) return o;
  }
  return std::nullopt;
}

/// The epilogue of `call` for a product of type `type` at `product` (null: given with each tile).
/// Inputs from number 2 on are its operands beyond the first. Nothing if the engine refuses it.
inline std::optional<MapEngine> bind_epilogue(Expression const& expression, Call const& call,
                                              DataType type, void* product) {
  std::vector<View> operands = {call.outputs[0]};
  operands[0].type = type;
  operands[0].data = product;
  operands.insert(operands.end(), call.inputs.begin() + 2, call.inputs.end());
  return MapEngine::bind({expression, type,
                          std::span(call.outputs[0].extents).first(call.outputs[0].rank), operands,
                          call.outputs});
}

}  // namespace lbann::kernels::kokkos
