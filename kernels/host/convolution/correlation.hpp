// Convolution and its input gradient on a CPU, as matrix products of packed kernels with samples
// laid out so that the microkernel reads windows in place.
#pragma once

#include "kernels/host/convolution/correlation_kernel.hpp"
#include "kernels/host/convolution/correlation_source.hpp"
#include "kernels/host/map/engine.hpp"

namespace lbann::kernels::host {

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
  struct Pass {
    CorrelationPass pass;
    CorrelationSource source;
  };

  void run_pass(CorrelationSource const& source, T const* seen, T const* packed, T* result,
                std::int64_t leading) const;

  WindowGeometry geometry_;
  CorrelationKernel kernel_;
  std::int64_t source_entries_ = 0, result_entries_ = 0;  ///< of a channel
  std::vector<Pass> passes_;
  std::int64_t as_it_is_ = 0;  ///< the first samples, which are read where they lie
  std::int64_t laid_out_ = 0, packed_ = 0, apart_ = 0, slot_ = 0;
};

}  // namespace lbann::kernels::host
