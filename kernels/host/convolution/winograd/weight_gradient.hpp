// Kernel gradients of convolutions with 3 x 3 taps of stride 1 on a CPU, by Winograd's algorithm:
// as 36 products of a quarter of the multiplications.
#pragma once

#include "kernels/host/convolution/winograd/tiles.hpp"
#include "kernels/shapes/window_geometry.hpp"

namespace lbann::kernels::host {

/// dkernel[o, d, tap] = sum over tiles of 4 x 4 positions of what these contribute: dy at 36 points
/// [filters, tiles] times x at these points [tiles, channels], and the sums transformed back. Tiles
/// of all samples in turn, a chunk at a time, those of each of `WinogradShapes::gradient_parts` by
/// themselves, so that results do not depend on the number of threads.
class WinogradWeightGradient {
 public:
  static bool suits(WindowGeometry const& geometry);

  explicit WinogradWeightGradient(WindowGeometry const& geometry);

  std::int64_t scratch_elements() const;
  void run(float const* x, float const* dy, float* dkernel, float* scratch) const;

 private:
  static constexpr std::int64_t height = tile_rows;  ///< filters of a register tile

  std::int64_t seen_elements() const;      ///< of x at one point, a block of channels
  std::int64_t gradient_elements() const;  ///< of dy at one point, a panel of filters
  std::int64_t buffer_elements() const;    ///< of both at all points
  std::int64_t slot_elements() const;      ///< of a worker
  std::int64_t first_channel(std::int64_t block) const;

  void transform_x(float const* x, std::int64_t task, std::int64_t first, std::int64_t count,
                   float* seen, float* slot) const;
  void transform_dy(float const* dy, std::int64_t task, std::int64_t first, std::int64_t count,
                    float* packed, float* slot) const;
  void multiply(float const* packed, float const* seen, std::int64_t task, std::int64_t count,
                float* sums) const;
  void write(float const* sums, std::int64_t task, bool add, float* dkernel) const;
  template <class ForEach>
  void sum_part(float const* x, float const* dy, std::int64_t part, float* buffer, float* slots,
                float* dkernel, ForEach const& for_each) const;

  winograd::Tiles tiles_;
  std::int64_t filters_ = 0, channels_ = 0, entries_ = 0, positions_ = 0;
  std::int64_t parts_ = 1, part_ = 0;     ///< of all tiles, and tiles of each
  std::int64_t chunk_ = 0;                ///< tiles transformed at a time
  std::int64_t panels_ = 0, blocks_ = 0;  ///< of filters, of channels
  std::int64_t group_ = 1, groups_ = 1;   ///< panels of a task
};

}  // namespace lbann::kernels::host
