// Images at points between their pixels: what rotation and composite_image_transformation share.
#pragma once

#include "compiler/layers/expressions.hpp"

namespace lbann::compiler::layers {

/// Whether input 0 is an image [c, h, w] and the others have the dims in `others`; reports it if
/// not.
bool takes_image_and(LayerContext const& context, std::vector<Dims> const& others);

/// Rows and columns of points in an image, [batch, h, w] each.
struct ImagePoints {
  TensorId rows, columns;
};

/// Where the pixels of input 0 come to lie, turned about pixel (h / 2, w / 2) by the angle that
/// input 1 tells in degrees.
ImagePoints turned(LoweringContext& lowering);

/// Input 0 at `points` by bilinear interpolation, [batch, c, h * w]; 0 outside of it and where a
/// neighbour is missing: rows are in [0, h - 1), columns in [0, w - 1).
TensorId image_at(LoweringContext& lowering, ImagePoints const& points);

}  // namespace lbann::compiler::layers
