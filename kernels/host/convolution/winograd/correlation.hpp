// Convolutions with 3 x 3 taps of stride 1 and their input gradients on a CPU, by Winograd's
// algorithm: as 36 products of a quarter of the multiplications.
#pragma once

#include "kernels/host/convolution/winograd/kernel.hpp"
#include "kernels/host/convolution/winograd/tiles.hpp"
#include "kernels/shapes/window_geometry.hpp"

namespace lbann::kernels::host {

/// At each of 36 points, result = kernel [rows, depth] * source [depth, tiles]. A task multiplies
/// some rows by the columns of a register tile at all points, and transforms the sums while they
/// are in a cache. The smaller factor is transformed as a whole before, of the other each task what
/// it needs.
class WinogradCorrelation {
 public:
  static bool suits(WindowGeometry const& geometry, bool gradient);

  /// A convolution, or with `gradient` its input gradient: dx from dy.
  WinogradCorrelation(WindowGeometry const& geometry, bool gradient);

  std::int64_t scratch_elements(bool separate) const;

  /// Results go to `result`, or to `epilogue` if there is one.
  void run(float const* source, float const* kernel, float* result, float* scratch,
           MapEngine const* epilogue) const;

 private:
  /// Source and result of a call.
  struct Tensors {
    float const* source;
    float* result;
    MapEngine const* epilogue;
  };

  std::int64_t block_elements() const;  ///< of the source of a register tile's columns
  std::int64_t point_elements() const;
  std::int64_t sums_elements() const;
  std::int64_t first_tile(std::int64_t block) const;
  std::int64_t first_panel(std::int64_t group) const;
  /// Whether tasks are blocks of columns, and kernels are transformed before; else groups of rows.
  bool by_columns() const;

  void transform_source(float const* source, std::int64_t block, std::int64_t channel,
                        std::int64_t end, float* to) const;
  void multiply(Tensors const& tensors, float const* panels, std::int64_t group, float const* seen,
                std::int64_t block, float* sums) const;

  winograd::Kernels kernels_;
  winograd::Tiles tiles_;
  std::int64_t source_entries_ = 0, result_entries_ = 0;  ///< of a channel
  std::int64_t group_ = 1;                                ///< most panels multiplied in turn
  std::int64_t groups_ = 1, blocks_ = 1;                  ///< of rows, of columns
};

}  // namespace lbann::kernels::host
