// Which convolutions CPU kernels compute by Winograd's algorithm.
#pragma once

#include <cstdint>
#include <optional>

#include "schemas/operators/rules.hpp"

namespace lbann {

/// A convolution in f32 with 3 x 3 taps of stride 1, or its input gradient: images of the result,
/// and `rows` and `depth` channels of the result and of the source.
struct WinogradShapes {
  std::int64_t samples, rows, depth, height, width;

  /// Results of a tile along an axis, and multiplications of a tile.
  static constexpr std::int64_t tile_extent = 4, points = 36;

  std::int64_t tiles() const;
  /// Whether there are at most half as many multiplications, and enough channels and tiles to use
  /// what has been transformed often, and to fill registers.
  bool suit() const;
  /// Elements of scratch, at most, of kernels/host/convolution/winograd: kernels or sources at all
  /// points, and for each thread a block of the other and of sums. Not less for more samples.
  std::int64_t scratch_elements(std::int64_t threads) const;

  /// Of the gradient of the kernel, whose images are those of the convolution's result: parts of
  /// the tiles whose sums one thread computes by itself, a power of two, so that threads get equal
  /// shares. Their sums are at most about half the numbers that they transform. Not fewer for more
  /// samples.
  std::int64_t gradient_parts() const;
  /// Tiles of a part, and those of them that are transformed at a time.
  std::int64_t part_tiles() const;
  std::int64_t gradient_tiles() const;
  /// Elements of scratch, at most: both factors of these tiles at all points, what threads sum up,
  /// and the sums of all parts but one. Not less for more samples.
  std::int64_t gradient_scratch_elements(std::int64_t threads) const;

 private:
  std::int64_t most_gradient_tiles() const;
};

/// Of a convolution with `window` from x to y by `kernel`, or with `gradient` of its input
/// gradient; none where the algorithm does not apply.
std::optional<WinogradShapes> winograd_shapes(Shape const& x, Shape const& kernel, Shape const& y,
                                              operators::rules::Window window, std::int64_t groups,
                                              bool gradient, std::int64_t samples);

}  // namespace lbann
