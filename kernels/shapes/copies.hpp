// What slice, concatenate and reshape come down to: copies of runs of memory.
#pragma once

#include <vector>

#include "kernels/kernel.hpp"
#include "kernels/shapes/rows.hpp"

namespace lbann::kernels {

/// `count` runs of `bytes`, their beginnings `from_step` and `to_step` bytes apart.
struct Copy {
  std::byte const* from = nullptr;
  std::byte* to = nullptr;
  std::int64_t count = 0, bytes = 0, from_step = 0, to_step = 0;
};

/// The copies of a call of slice.
inline std::vector<Copy> copies_of_slice(Call const& call) {
  auto const& op = operator_of<operators::slice>(call);
  auto const unit = static_cast<std::int64_t>(bytes_of(call.inputs[0].type));
  auto const [outer, inner, whole] = cut_of(call.inputs[0], op.axis);
  auto const bytes = inner * unit;
  std::vector<Copy> copies;
  for (std::size_t i = 0; i < call.outputs.size(); ++i) {
    auto const run = (op.points[i + 1] - op.points[i]) * bytes;
    copies.push_back({call.inputs[0].as<std::byte>() + op.points[i] * bytes,
                      call.outputs[i].as<std::byte>(), outer, run, whole * bytes, run});
  }
  return copies;
}

/// The copies of a call of concatenate.
inline std::vector<Copy> copies_of_concatenate(Call const& call) {
  auto const axis = operator_of<operators::concatenate>(call).axis;
  auto const unit = static_cast<std::int64_t>(bytes_of(call.outputs[0].type));
  auto const [outer, inner, whole] = cut_of(call.outputs[0], axis);
  auto const bytes = inner * unit;
  std::vector<Copy> copies;
  std::int64_t begin = 0;
  for (auto const& input : call.inputs) {
    auto const run = cut_of(input, axis).whole * bytes;
    copies.push_back({input.as<std::byte>(), call.outputs[0].as<std::byte>() + begin, outer, run,
                      run, whole * bytes});
    begin += run;
  }
  return copies;
}

/// The copy of a call of reshape; onto itself, and so left out, if the output lies on the input.
inline std::vector<Copy> copies_of_reshape(Call const& call) {
  auto const& x = call.inputs[0];
  auto const bytes = x.elements() * static_cast<std::int64_t>(bytes_of(x.type));
  return {{x.as<std::byte>(), call.outputs[0].as<std::byte>(), 1, bytes, 0, 0}};
}

}  // namespace lbann::kernels
