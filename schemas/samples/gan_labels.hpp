// Labels of adversarial models: by a sample's place in the mini-batch.
#pragma once

#include <memory>

#include "schemas/samples/samples.hpp"

namespace lbann {

/// `given` with `labels` of two classes in the place of its own, or behind the others: class 1 is
/// what the discriminator shall take for real, class 0 for generated.
std::vector<data_readers::GivenField> with_gan_labels(std::vector<data_readers::GivenField> given);

/// `samples` with labels that are all of class `value`. Those of the first half of a mini-batch,
/// which differ where `value` is 0, are set by the stream of mini-batches, which alone knows it.
std::unique_ptr<Samples> with_gan_labels(std::unique_ptr<Samples> samples, std::int64_t value);

}  // namespace lbann
