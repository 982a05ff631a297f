// Readers, callbacks and metrics of a plan, checked against their declarations.
#pragma once

#include <optional>
#include <string>

#include "schemas/plan/plan.hpp"

namespace lbann {

/// What is wrong with a reader, a callback or a metric that the runtime reads again by its fields,
/// preceded by its place in the experiment; nothing if all are sound: of a type and with the fields
/// that are declared, numbers within their ranges, and naming only what the plan has. The spans,
/// layers, weights and observations of the plan are sound already.
std::optional<std::string> verify_declared(Plan const& plan);

}  // namespace lbann
