// Samples that lie in arrays of NumPy, as two readers give them.
#pragma once

#include <optional>

#include "runtime/data/npy_file.hpp"
#include "runtime/data/readers.hpp"

namespace lbann::runtime {

/// What the last number of a sample in the array is.
enum class LastNumber : std::uint8_t { of_sample, label, response };

/// Arrays whose first axis counts the same number of samples.
struct NumpyArrays {
  NpyFile data;
  std::optional<NpyFile> labels, responses;
  LastNumber last = LastNumber::of_sample;  ///< the rest of a sample is flat if it is no such
  double scale = 1;                         ///< of the samples
};

/// Gives `labels` and `responses` where they are, and `samples`. `num_labels` is the number of
/// classes; 0: whatever the plan says.
OpenedSamples numpy_samples(NumpyArrays arrays, std::int64_t num_labels);

}  // namespace lbann::runtime
