// One value of a document as the value its field asks for.
#pragma once

#include <optional>
#include <string_view>

#include "compiler/diagnostics/diagnostic.hpp"
#include "compiler/source/document.hpp"
#include "schemas/vocabulary/field.hpp"

namespace lbann::compiler {

/// Reads `node` as the field asks: type, choices, range. A single value stands for a list of one.
/// Scalars that YAML 1.1 and 1.2 read differently are errors. Nothing after a report.
std::optional<Value> read_value(Node const& node, FieldInfo const& field, Report& report);

/// What an node is, in words: `the text `abc``, `a list`, ...
std::string describe(Node const& node);

/// What a field asks for, in words: `a whole number`, ...
std::string expectation(FieldInfo const& field);

/// `a`, `b` or `c`, each in backticks.
std::string alternatives(std::vector<std::string_view> const& names,
                         std::string_view last = " or ");

}  // namespace lbann::compiler
