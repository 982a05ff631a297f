// Correlations of samples with kernels on a CPU: convolution, and its gradient towards the data.
#pragma once

#include "kernels/host/convolution/correlation_source.hpp"
#include "kernels/host/map/engine.hpp"
#include "kernels/shapes/window_geometry.hpp"

namespace lbann::kernels::host {

/// Part of the positions of a result with the taps they see: all of them in a convolution, those of
/// one remainder modulo the stride in a gradient.
struct CorrelationPass {
  CorrelationSource source;
  std::vector<std::int64_t> taps;  ///< of the kernel, in the order of the source's
  std::int64_t begin[3] = {0, 0, 0}, step[3] = {1, 1, 1}, count[3] = {1, 1, 1};  ///< of the result
};

/// result[n, g, m] = sum over channels d and taps of kernel(g, m, d, tap) * source[n, g, d].
template <class T>
class Correlation {
 public:
  /// A convolution, or with `gradient` the one that takes dy back to dx.
  Correlation(WindowGeometry const& geometry, bool gradient);

  /// Elements of scratch; `separate` if the result lies there until its epilogue has run.
  std::int64_t scratch_elements(bool separate) const;

  /// `result` may be null: then tiles of it lie in scratch for `epilogue`.
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
  std::int64_t as_it_is_ = 0;  ///< samples that need not be laid out, the first ones
  std::int64_t laid_out_ = 0, packed_ = 0, apart_ = 0, slot_ = 0;
};

}  // namespace lbann::kernels::host
