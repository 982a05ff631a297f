// `model: settings:`, fields of all layers whose names match a pattern.
#pragma once

#include <string_view>

#include "compiler/diagnostics/diagnostic.hpp"
#include "compiler/source/budget.hpp"
#include "compiler/source/document.hpp"

namespace lbann::compiler {

/// Puts the fields of `settings` into the entries of `layers` whose names match, and takes
/// `settings` away. What a layer says itself stays; of two patterns the later one holds. Reports
/// patterns that match no layer; `budget` counts the copies.
void put_settings_into_layers(Node& model, Budget& budget, Report& report);

/// Whether a name matches a pattern, in which `*` stands for any characters and `?` for one.
bool matches(std::string_view pattern, std::string_view name);

}  // namespace lbann::compiler
