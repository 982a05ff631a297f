// Winograd's minimal filtering F(4, 3): 4 results of a correlation with 3 taps by 6
// multiplications.
#pragma once

#include "kernels/host/vector.hpp"

namespace lbann::kernels::host::winograd {

/// Results of a tile, taps, and entries that a tile sees, along an axis: as many points, at which
/// polynomials are evaluated.
inline constexpr int tile_extent = 4, tap_extent = 3, point_extent = 6;
/// Of a tile.
inline constexpr int points = point_extent * point_extent;

/// The points are 0, +-5/8, +-3/2 and infinity. With the usual 0, +-1, +-2 the rounding errors of
/// f32 are twice as large (docs/decisions/winograd.md). Products of these fractions are exact.
inline constexpr float near_point = 0.625f, far_point = 1.5f;
inline constexpr float near_square = near_point * near_point, far_square = far_point * far_point;

/// What interpolation between the points divides by: the product of a point's distances from all
/// others.
inline constexpr float zero_factor = 1 / (near_square * far_square);
inline constexpr float near_factor = 1 / (2 * near_square * (near_square - far_square));
inline constexpr float far_factor = 1 / (2 * far_square * (far_square - near_square));

/// a + c * b, as one rounding.
inline Vector<float> plus_scaled(Vector<float> a, float c, Vector<float> b) {
  return multiply_add<float>(broadcast(c), b, a);
}

/// What tiles see along an axis, at all points: A. Lavin, S. Gray, Fast Algorithms for
/// Convolutional Neural Networks, 2015, B^T d.
inline void transform_source(Vector<float> const (&d)[6], Vector<float> (&v)[6]) {
  constexpr float sum = near_square + far_square, product = near_square * far_square;
  v[0] = plus_scaled(plus_scaled(d[4], -sum, d[2]), product, d[0]);
  auto const even = plus_scaled(d[4], -far_square, d[2]);
  auto const odd = plus_scaled(d[3], -far_square, d[1]);
  v[1] = plus_scaled(even, near_point, odd);
  v[2] = plus_scaled(even, -near_point, odd);
  auto const even_far = plus_scaled(d[4], -near_square, d[2]);
  auto const odd_far = plus_scaled(d[3], -near_square, d[1]);
  v[3] = plus_scaled(even_far, far_point, odd_far);
  v[4] = plus_scaled(even_far, -far_point, odd_far);
  v[5] = plus_scaled(plus_scaled(d[5], -sum, d[3]), product, d[1]);
}

/// Taps along an axis, at all points: G g.
inline void transform_kernel(Vector<float> const (&g)[3], Vector<float> (&u)[6]) {
  u[0] = zero_factor * g[0];
  auto const even = plus_scaled(near_factor * g[0], near_factor * near_square, g[2]);
  u[1] = plus_scaled(even, near_factor * near_point, g[1]);
  u[2] = plus_scaled(even, -near_factor * near_point, g[1]);
  auto const even_far = plus_scaled(far_factor * g[0], far_factor * far_square, g[2]);
  u[3] = plus_scaled(even_far, far_factor * far_point, g[1]);
  u[4] = plus_scaled(even_far, -far_factor * far_point, g[1]);
  u[5] = g[2];
}

/// Gradients of the results of tiles along an axis, at all points: those of F(3, 4), 3 taps'
/// gradients by 6 multiplications.
inline void transform_gradient(Vector<float> const (&d)[4], Vector<float> (&v)[6]) {
  v[0] = zero_factor * d[0];
  auto const even = plus_scaled(near_factor * d[0], near_factor * near_square, d[2]);
  auto const odd = plus_scaled(d[1], near_square, d[3]);
  v[1] = plus_scaled(even, near_factor * near_point, odd);
  v[2] = plus_scaled(even, -near_factor * near_point, odd);
  auto const even_far = plus_scaled(far_factor * d[0], far_factor * far_square, d[2]);
  auto const odd_far = plus_scaled(d[1], far_square, d[3]);
  v[3] = plus_scaled(even_far, far_factor * far_point, odd_far);
  v[4] = plus_scaled(even_far, -far_factor * far_point, odd_far);
  v[5] = d[3];
}

/// Gradients of taps along an axis, of sums of products at all points.
inline void transform_kernel_gradient(Vector<float> const (&m)[6], Vector<float> (&g)[3]) {
  auto const even = m[1] + m[2], odd = m[1] - m[2];
  auto const even_far = m[3] + m[4], odd_far = m[3] - m[4];
  g[0] = m[0] + even + even_far;
  g[1] = plus_scaled(near_point * odd, far_point, odd_far);
  g[2] = plus_scaled(plus_scaled(m[5], near_square, even), far_square, even_far);
}

/// The results of tiles along an axis, of products at all points: A^T m.
inline void transform_result(Vector<float> const (&m)[6], Vector<float> (&y)[4]) {
  auto const even = m[1] + m[2], odd = m[1] - m[2];
  auto const even_far = m[3] + m[4], odd_far = m[3] - m[4];
  y[0] = m[0] + even + even_far;
  y[1] = plus_scaled(near_point * odd, far_point, odd_far);
  y[2] = plus_scaled(near_square * even, far_square, even_far);
  y[3] = plus_scaled(plus_scaled(m[5], near_point * near_square, odd), far_point * far_square,
                     odd_far);
}

}  // namespace lbann::kernels::host::winograd
