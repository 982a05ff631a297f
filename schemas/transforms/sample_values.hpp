// One field of a sample while transforms change it, and the random numbers that they draw.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "schemas/vocabulary/philox.hpp"
#include "schemas/vocabulary/result.hpp"

namespace lbann {

/// Dims of one sample; of images channels, height and width. 0: differs from sample to sample.
using SampleDims = std::vector<std::int64_t>;

struct SampleValues {
  SampleDims dims;
  std::vector<double> values;  ///< in C order; of images 0 to 255
  std::vector<double> before;  ///< room for what `replace` has replaced

  std::int64_t channels() const { return dims[0]; }
  std::int64_t height() const { return dims[1]; }
  std::int64_t width() const { return dims[2]; }

  /// Gives it other dims and values yet to be written; the old ones stand in `before`.
  void replace(std::int64_t channels, std::int64_t height, std::int64_t width) {
    values.swap(before);
    dims.assign({channels, height, width});
    values.resize(static_cast<std::size_t>(channels * height * width));
  }
};

/// Random numbers of one transform of one sample in one epoch. They depend on nothing else, so
/// that samples are the same on any number of ranks and threads.
class Draws {
 public:
  /// `position`: of the transform in its list.
  Draws(PhiloxKey key, std::int64_t epoch, std::int64_t sample, std::size_t position)
      : key_(key),
        epoch_(epoch),
        sample_(sample),
        block_(static_cast<std::int64_t>(position) << 16) {}

  /// Uniform in [least, most).
  double uniform(double least, double most) {
    auto const words = philox(random_counter(epoch_, sample_, block_++), key_);
    return least + (most - least) * unit_double(words[0]);
  }
  /// Uniform among 0 to `count` - 1.
  std::int64_t below(std::int64_t count) {
    return static_cast<std::int64_t>(uniform(0, 1) * static_cast<double>(count));
  }
  bool happens(double probability) { return uniform(0, 1) < probability; }

 private:
  PhiloxKey key_;
  std::int64_t epoch_, sample_, block_;
};

}  // namespace lbann
