// Samples that lie in an array of NumPy, as two readers give them.
#pragma once

#include "schemas/samples/npy_file.hpp"

namespace lbann {

/// What an array holds. Where the last number of a sample is something of its own, the numbers
/// before it are `samples`, flat.
enum class ArrayContent : std::uint8_t {
  samples,
  labels,
  responses,
  samples_and_label,
  samples_and_response,
};

/// The fields that an array gives, whose first axis counts samples: `labels` one-hot, `samples`
/// times `scale`. `num_labels` is the number of classes; 0: whatever the plan says. `name` is that
/// of the field where an array that holds `samples` alone is another one.
OpenedSamples numpy_samples(NpyFile array, ArrayContent content, double scale,
                            std::int64_t num_labels, std::string const& name = "samples");

}  // namespace lbann
