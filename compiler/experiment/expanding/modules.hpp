// `modules:`, groups of layers with parameters.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "compiler/diagnostics/diagnostic.hpp"
#include "compiler/source/document.hpp"
#include "schemas/vocabulary/field.hpp"

namespace lbann::compiler {

/// One parameter of a module. `info` names the parameter by `name`'s characters.
struct ModuleParameter {
  std::string name;
  FieldInfo info;
  Node const* default_value = nullptr;  ///< null: must be given
  Span span;
};

/// One entry of `modules:`; items lie in the document.
struct Module {
  std::string name;
  Span span;
  std::vector<ModuleParameter> parameters;
  std::vector<std::string> inputs;   ///< names of the parents of a call; empty: at most one
  std::vector<std::string> outputs;  ///< layers that stand for the call; empty: the last one
  std::vector<Span> output_spans;
  Node const* layers = nullptr;
};

using ModuleTable = std::map<std::string, Module, std::less<>>;

/// Types of parameters, as `parameters: {channels: integer}` names them.
inline constexpr std::array<std::pair<std::string_view, FieldKind>, 7> parameter_types = {{
    {"boolean", FieldKind::boolean},
    {"integer", FieldKind::integer},
    {"number", FieldKind::real},
    {"text", FieldKind::text},
    {"integers", FieldKind::integers},
    {"numbers", FieldKind::reals},
    {"texts", FieldKind::texts},
}};

/// Reads `modules:`; everything wrong is reported, what is wrong has no `layers`.
ModuleTable read_modules(Node const& section, Report& report);

}  // namespace lbann::compiler
