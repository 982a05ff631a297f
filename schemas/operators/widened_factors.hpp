// Where CPU kernels convert factors of 16 bits to f32 before they multiply them, and the memory
// that takes.
#pragma once

#include <algorithm>
#include "schemas/operators/operator.hpp"
#include "schemas/operators/rules.hpp"

namespace lbann {

/// A convolution from x [batch, c, n...] to y [batch, o, m...].
struct ConvolutionShapes {
  Shape const &x, &kernel, &y;
  operators::rules::Window window;
  std::int64_t groups;
};

/// What of it an operator computes.
enum class ConvolutionPart : std::uint8_t { output, input_gradient, kernel_gradient };

/// Whether factors of `type` are converted: f16 always, since no processor that we build for adds
/// up its products in f32; bf16 where packing tiles takes longer than multiplying f32, as with few
/// channels or images of a few entries. It does not depend on the mini-batch: the last one of an
/// epoch, which may be smaller, has the scratch memory of the others.
bool widens_factors(DataType type, ConvolutionShapes const& convolution, ConvolutionPart part);
/// Whether kernels of f32 compute a convolution by Winograd's algorithm once its factors are
/// converted. Where pairs of bf16 are multiplied by vector instructions, twice as fast as f32 at
/// most, that is faster than tiles, and CPU kernels do it if there is scratch memory for it.
bool transforms_widened(ConvolutionShapes const& convolution, ConvolutionPart part,
                        std::int64_t samples);
/// `widens_factors` of products of matrices.
constexpr bool widens_factors(DataType type) { return type == DataType::f16; }

/// Bytes of a factor of `elements` numbers in f32, whole lines of the cache.
inline std::int64_t widened_bytes(std::int64_t elements) {
  return (operators::rules::times(elements, 4) + 63) / 64 * 64;
}

/// Scratch of a product whose factors are converted first: both in f32, and what `op` takes then.
template <class Op>
std::int64_t widened_scratch_bytes(Op const& op, Signature const& signature, std::int64_t samples,
                                   std::int64_t threads) {
  using operators::rules::plus;
  TensorTypes inputs(signature.inputs.begin(), signature.inputs.end());
  std::int64_t factors = 0;
  for (std::size_t i = 0; i < 2; ++i) {
    inputs[i].type = DataType::f32;
    factors = plus(factors, widened_bytes(inputs[i].shape.elements(samples)));
  }
  return plus(factors, op.scratch_bytes({inputs, signature.outputs}, samples, threads));
}

/// Scratch of a convolution of 16-bit factors that takes `tiles` bytes as a product of tiles.
template <class Op>
std::int64_t transformed_scratch_bytes(Op const& op, Signature const& signature,
                                       ConvolutionShapes const& shapes, ConvolutionPart part,
                                       std::int64_t tiles, std::int64_t samples,
                                       std::int64_t threads) {
  if (!transforms_widened(shapes, part, samples)) return tiles;
  return std::max(tiles, widened_scratch_bytes(op, signature, samples, threads));
}

}  // namespace lbann
