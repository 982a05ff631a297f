// Mixing of samples with others of their epoch.
#pragma once

#include <cstdint>

#include "schemas/samples/samples.hpp"
#include "schemas/vocabulary/philox.hpp"

namespace lbann::runtime {

/// The share of sample `position` of an epoch in its mixture: b or 1 - b, whichever is more, b
/// drawn from Beta(alpha, alpha) with random numbers of (`key`, `epoch`, `position`). b is x / (x +
/// y) of two draws of Gamma(alpha), by the rejection of G. Marsaglia, W. W. Tsang: "A simple method
/// for generating gamma variables", ACM TOMS 26 (2000).
double mixing_share(double alpha, PhiloxKey key, std::int64_t epoch, std::int64_t position);

/// values = share * values + (1 - share) * others, in the type of both.
void mix(FieldValues const& values, FieldValues const& others, double share);

}  // namespace lbann::runtime
