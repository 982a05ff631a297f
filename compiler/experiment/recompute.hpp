// What is computed again in the backward pass, not kept.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "schemas/vocabulary/field.hpp"

namespace lbann::compiler {

/// Activations that the backward pass computes again: none, those that elementwise operations and
/// normalisation make of others that are kept, or all but those at the borders of segments;
/// `automatic` (`auto`): the first of these with which a rank needs no more than `memory_limit`.
enum class Recompute : std::uint8_t { none, selective, full, automatic };

}  // namespace lbann::compiler

template <>
inline constexpr auto lbann::enum_names<lbann::compiler::Recompute> =
    std::array<std::string_view, 4>{"none", "selective", "full", "auto"};
