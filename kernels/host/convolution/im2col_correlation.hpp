// Convolutions of many channels and their input gradients on a CPU, as products with the columns of
// all samples.
#pragma once

#include "kernels/host/convolution/im2col_pass.hpp"

namespace lbann::kernels::host {

/// A pass of all positions, or of an input gradient one for each remainder modulo the stride.
template <class T>
class Im2colCorrelation {
 public:
  /// Many channels use each packed element often.
  static bool suits(WindowGeometry const& geometry, bool gradient);

  /// A convolution, or with `gradient` its input gradient: dx from dy.
  Im2colCorrelation(WindowGeometry const& geometry, bool gradient);

  /// Elements of scratch. With `separate` results lie there until the epilogue has run.
  std::int64_t scratch_elements(bool separate) const;

  /// If `result` is null, the result of a task stays in scratch for `epilogue`.
  void run(T const* source, T const* kernel, T* result, T* scratch,
           MapEngine const* epilogue) const;

 private:
  std::int64_t packed_elements() const;
  std::int64_t slot_elements(bool separate) const;  ///< of a worker

  std::vector<Im2colPass<T>> passes_;  ///< those with taps
  std::int64_t tasks_ = 0;             ///< most of a pass
  std::int64_t gaps_ = 0;              ///< elements of the result, if no tap sees some of them
};

}  // namespace lbann::kernels::host
