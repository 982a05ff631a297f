// Which outputs of a model are predicted.
#pragma once

#include <string>
#include <vector>

#include "schemas/plan/plan.hpp"

namespace lbann::runtime {

/// Outputs of the layers `names`, in this order, or if there are none those of layers that
/// callbacks `dump_outputs` with `execution_modes: [predict]` name, or else those that are
/// predictions by default. Problems: a layer that there is not, with the nearest names; nothing to
/// predict.
Result<std::vector<ModelOutput>> choose_outputs(Plan const& plan,
                                                std::vector<std::string> const& names);

}  // namespace lbann::runtime
