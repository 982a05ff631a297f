// Which collectives lead from one distribution of a tensor to another.
#pragma once

#include <optional>
#include <vector>

#include "schemas/program/distribution.hpp"

namespace lbann::compiler {

/// The sum of which each rank keeps its part, if that is what leads from the one to the other.
std::optional<operators::reduce_scatter> scattering(AxisDistribution const& from,
                                                    AxisDistribution const& to,
                                                    MeshAxes const& mesh);

/// Distributions on the way from the one to the other, the last of which is the other: where a
/// dimension is split over several axes that leave it, one axis after the other from the innermost
/// one on. Along R rows and C columns that is R - 1 and C - 1 messages instead of R C - 1, with as
/// many bytes as long as what is gathered is gathered last; else there is one step.
std::vector<AxisDistribution> steps_between(AxisDistribution const& from,
                                            AxisDistribution const& to);

/// The collective that leads from the one to the other.
Operator exchange(AxisDistribution const& from, AxisDistribution const& to, MeshAxes const& mesh);

}  // namespace lbann::compiler
