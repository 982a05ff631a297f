// The language as JSON Schema, for editors.
#pragma once

#include <string>

#include "compiler/experiment/declarations.hpp"

namespace lbann::compiler {

/// JSON Schema (draft-07) of an experiment, made from the declarations: descriptions, defaults,
/// snippets; `additionalProperties: false` throughout. Wherever a number or a truth value may stand
/// an expression may, too. schemas/generated holds it.
std::string json_schema(Declarations const& declarations);

}  // namespace lbann::compiler
