// Two instructions merged into one: composition of their expressions.
#pragma once

#include <optional>

#include "schemas/program/program.hpp"

namespace lbann {

/// The map that a product (matmul, batched_matmul, convolution) or a scatter is followed by, which
/// may be empty; null for every other operator.
Expression const* epilogue_of(Operator const& op);

/// `first` and `second` as one instruction that does both, `first` being a map, a product or a
/// scatter to a table larger than a cache, `second` a map or (if `first` is a map) a reduce over
/// the same elements. Operands of `second` that `first` writes are taken from its expression;
/// outputs of `first` are written only if in `kept`. Nothing if a result would be rounded
/// otherwise, a factor of a product be overwritten, or a limit be exceeded.
std::optional<Instruction> joined(Program const& program, Instruction const& first,
                                  Instruction const& second, std::vector<TensorId> const& kept);

/// `second` with operands that `first` writes replaced by its constants; `first` is a map without
/// operands.
std::optional<Instruction> with_constants(Program const& program, Instruction const& first,
                                          Instruction const& second);

struct SunkOutput {
  Instruction first, second;
};

/// `second` computing output number `output` of `first` itself, of output number `source` of that,
/// and `first` without it; both are maps, or `second` a reduce, over the same elements. Nothing if
/// that takes a further tensor of this shape, or computes twice what other outputs are made of as
/// well, or a result would be rounded otherwise, or a limit be exceeded.
std::optional<SunkOutput> sink_output(Program const& program, Instruction const& first,
                                      Instruction const& second, std::size_t output,
                                      std::size_t source);

}  // namespace lbann
