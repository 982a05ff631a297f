// Convolution and its input gradient on a CPU, as matrix products of packed kernels with samples
// laid out so that the microkernel reads windows in place.
#pragma once

#include "kernels/host/convolution/correlation_source.hpp"
#include "kernels/host/map/engine.hpp"
#include "kernels/shapes/window_geometry.hpp"

namespace lbann::kernels::host {

/// Part of the result: all positions of a convolution; in an input gradient the entries of one
/// remainder modulo the stride, which all use the same taps.
struct CorrelationPass {
  CorrelationSource source;
  std::vector<std::int64_t> taps;  ///< numbers of the taps in the kernel, in the source's order
  std::int64_t begin[3] = {0, 0, 0}, step[3] = {1, 1, 1}, count[3] = {1, 1, 1};  ///< of the result
};

/// result[n, g, m] = sum over channels d and taps of kernel(g, m, d, tap) * source[n, g, d].
template <class T>
class Correlation {
 public:
  /// A convolution, or with `gradient` its input gradient: dx from dy.
  Correlation(WindowGeometry const& geometry, bool gradient);

  /// Elements of scratch. With `separate` results lie there until the epilogue has run.
  std::int64_t scratch_elements(bool separate) const;

  /// If `result` is null, the result of a sample stays in scratch for `epilogue`.
  void run(T const* source, T const* kernel, T* result, T* scratch,
           MapEngine const* epilogue) const;

 private:
  void pack_kernel(CorrelationPass const& pass, T const* kernel, T* packed) const;
  void run_pass(CorrelationPass const& pass, T const* seen, T const* packed, T* result,
                std::int64_t leading) const;
  std::int64_t packed_elements(CorrelationPass const& pass) const;

  WindowGeometry geometry_;
  bool gradient_ = false;
  std::int64_t groups_ = 1, rows_ = 0, depth_ = 0;        ///< rows and channels of a group
  std::int64_t source_entries_ = 0, result_entries_ = 0;  ///< of a channel
  std::int64_t height_ = 1;                               ///< of register tiles
  std::vector<CorrelationPass> passes_;
  std::int64_t as_it_is_ = 0;  ///< the first samples, which are read where they lie
  std::int64_t laid_out_ = 0, packed_ = 0, apart_ = 0, slot_ = 0;
};

}  // namespace lbann::kernels::host
