// Random numbers of a given variance, for initializers that scale with the fans of a layer.
#pragma once

#include "compiler/initializers/initializer.hpp"

namespace lbann::compiler::initializers {

// As LBANN's: https://lbann.readthedocs.io/en/latest/weights.html.

/// Normal numbers of mean 0.
Operator normal_with_variance(InitContext const& context, double variance);

/// Uniform in [-sqrt(3 variance), sqrt(3 variance)).
Operator uniform_with_variance(InitContext const& context, double variance);

}  // namespace lbann::compiler::initializers
