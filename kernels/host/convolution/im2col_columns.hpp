// Columns of an im2col matrix, packed for the microkernel a register at a time.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "kernels/host/vector.hpp"
#include "kernels/shapes/correlation_pass.hpp"

namespace lbann::kernels::host {

/// The columns (sample, position) of an im2col matrix in registers. What the lanes of a register
/// see through a tap is the same for all channels, so it is listed once: a masked load, or a few
/// where the lanes lie in several rows or samples.
///
/// Samples of many positions begin with a register of their own; those of few positions follow one
/// another without a gap, so that images of 7 x 7 fill registers too.
template <class T>
class Im2colColumns {
 public:
  Im2colColumns() = default;
  /// Samples lie `sample_step` elements apart.
  Im2colColumns(std::array<SourceAxis, 3> const& axes, std::int64_t samples,
                std::int64_t sample_step);

  bool separate() const { return separate_; }  ///< samples begin with a register of their own
  std::int64_t registers() const { return registers_; }  ///< of a sample if `separate`, or of all

  /// Packs registers [first, first + count) of `channels` channels that lie `channel_step` elements
  /// apart: to[(channel * taps + tap) * tile_columns + column]. `source` is the first of the
  /// channels in the sample, or in the first sample unless `separate`.
  void pack(T const* source, std::int64_t channel_step, std::int64_t channels, std::int64_t first,
            std::int64_t count, T* to) const;

 private:
  /// Lane i of `lanes` sees element offset + i * step; of step 2, masks of the two registers that
  /// the even elements are taken from.
  struct Run {
    std::int64_t offset = 0;
    unsigned lanes = 0, halves[2] = {0, 0};
  };

  Vector<T> load_run(Run const& run, T const* from, int existing) const;
  void list_runs(std::array<SourceAxis, 3> const& axes, std::int64_t samples,
                 std::int64_t sample_step);

  bool separate_ = true;
  std::int64_t taps_ = 0, step_ = 1, columns_ = 0, registers_ = 0;
  /// Registers after which what they see repeats, `period_step_` elements further.
  std::int64_t period_ = 1, period_step_ = 0;
  std::vector<Run> runs_;              ///< by register of a period, then tap
  std::vector<std::uint32_t> begins_;  ///< of each in `runs_`, and the end
};

}  // namespace lbann::kernels::host
