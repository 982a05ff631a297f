// A sample minus its mean, by its deviation.
#include "schemas/transforms/sample_normalize.hpp"

#include <cmath>

namespace lbann::transforms {

Result<SampleDims> sample_normalize::dims_after(SampleDims const& dims) const { return dims; }

void sample_normalize::apply(SampleValues& sample, Draws& /*draws*/) const {
  double sum = 0, squares = 0;
  auto const count = static_cast<double>(sample.values.size());
  for (double const value : sample.values) sum += value;
  double const mean = sum / count;
  for (double const value : sample.values) squares += (value - mean) * (value - mean);
  // A sample whose numbers are all equal has no deviation: it becomes 0.
  double const deviation = squares > 0 ? std::sqrt(squares / count) : 1;
  for (auto& value : sample.values) value = (value - mean) / deviation;
}

}  // namespace lbann::transforms
