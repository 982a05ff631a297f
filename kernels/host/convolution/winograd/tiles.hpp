// Tiles of 4 x 4 results of images, and what they see, at the points of Winograd's algorithm.
#pragma once

#include <cstdint>

#include "kernels/host/convolution/winograd/transforms.hpp"
#include "kernels/host/map/engine.hpp"
#include "kernels/host/products/microkernel.hpp"
#include "kernels/shapes/window_geometry.hpp"

namespace lbann::kernels::host::winograd {

/// Whether a convolution has 3 x 3 taps of stride 1, and no groups.
bool applies(WindowGeometry const& geometry);

/// Images along their last two axes, rows and columns of entries.
struct Image {
  std::int64_t rows, columns;
  std::int64_t entries() const { return rows * columns; }
};

/// Tiles are numbered along rows of an image, then along its columns, then sample by sample. A tile
/// sees 6 x 6 entries of the source, zero where there are none.
class Tiles {
 public:
  Tiles() = default;
  /// The first tile of an image sees the source from row and column `-padding` on.
  Tiles(std::int64_t samples, Image source, Image result, std::int64_t row_padding,
        std::int64_t column_padding);

  std::int64_t count() const { return count_; }

  /// Tiles [first, first + count) of all samples, of no more than a register tile's columns, in one
  /// channel: to[point * pitch + tile], for whole registers. `source`: the channel in the first
  /// sample; samples lie `sample_step` elements apart.
  void transform_source(float const* source, std::int64_t sample_step, std::int64_t first,
                        std::int64_t count, float* to, std::int64_t pitch) const;

  /// The same of gradients of their results, `gradient`, for gradients of kernels.
  void transform_gradient(float const* gradient, std::int64_t sample_step, std::int64_t first,
                          std::int64_t count, float* to, std::int64_t pitch) const;

  /// Their results in one channel, from from[point * pitch + tile], to `result`, or to `epilogue`
  /// if there is one. `at`: where the channel of the first sample begins in the tensor.
  void transform_result(float const* from, std::int64_t pitch, std::int64_t first,
                        std::int64_t count, float* result, std::int64_t at,
                        std::int64_t sample_step, MapEngine const* epilogue) const;

 private:
  /// Neighbours in a row of tiles.
  struct Run {
    std::int64_t sample, row, column, count;
  };
  Run run_of(std::int64_t tile, std::int64_t end) const;
  template <int extent>
  void transform_entries(float const* channel, Image image, std::int64_t row_padding,
                         std::int64_t column_padding, std::int64_t sample_step, std::int64_t first,
                         std::int64_t count, float* to, std::int64_t pitch) const;

  Image source_{}, result_{};
  std::int64_t row_padding_ = 0, column_padding_ = 0;
  std::int64_t down_ = 0, across_ = 0, count_ = 0;  ///< tiles of an image, and of all
};

}  // namespace lbann::kernels::host::winograd
