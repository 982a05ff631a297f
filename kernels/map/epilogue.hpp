// Epilogues of matrix products and convolutions: a map that is applied to the product, and where
// the product lies before it is.
#pragma once

#include <optional>
#include <vector>

#include "kernels/conversion.hpp"
#include "kernels/map/map_code.hpp"

namespace lbann::kernels {

/// Number of the output that can hold the product of type `type` until the epilogue runs: the first
/// of that type that shares no memory with an input. Nothing if there is none.
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

/// The epilogue of `call` bound by `Engine::bind`, for a product of type `type` at `product` (null
/// if its address comes with each tile). Operand 0 of the expression is the product, the others are
/// inputs from number 2 on. Nothing if the engine refuses it.
template <class Engine>
std::optional<Engine> bind_epilogue(Expression const& expression, Call const& call, DataType type,
                                    void* product) {
  std::vector<View> operands = {call.outputs[0]};
  operands[0].type = type;
  operands[0].data = product;
  operands.insert(operands.end(), call.inputs.begin() + 2, call.inputs.end());
  return Engine::bind({expression, type,
                       std::span(call.outputs[0].extents).first(call.outputs[0].rank), operands,
                       call.outputs});
}

/// The type of the product that `call` computes: f32 where its factors are of 16 bits.
constexpr DataType type_of_product(Call const& call) {
  return compute_type_of(call.inputs[0].type);
}

/// Whether a product with this epilogue (empty for none) can be stored, whatever its factors are.
template <class Engine>
bool stores_product(Expression const& epilogue, Call const& call) {
  auto const type = type_of_product(call);
  if (type != DataType::f32 && type != DataType::f64) return false;
  if (epilogue.empty()) return call.outputs[0].type == type;
  return bind_epilogue<Engine>(epilogue, call, type, nullptr).has_value();
}

/// Whether a product of factors of f32 or f64 with this epilogue can be computed.
template <class Engine>
bool takes_product(Expression const& epilogue, Call const& call) {
  return !is_sixteen_bit(call.inputs[0].type) && stores_product<Engine>(epilogue, call);
}

}  // namespace lbann::kernels
