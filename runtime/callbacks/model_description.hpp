// A model as lines of text, for the callback and for `lbann-run --describe`.
#pragma once

#include <string>
#include <vector>

#include "schemas/plan/plan.hpp"

namespace lbann::runtime {

/// One line per layer and per weights object, then their counts.
std::vector<std::string> describe_model(Plan const& plan);

}  // namespace lbann::runtime
