// A plan for people.
#pragma once

#include <string>

#include "schemas/plan/plan.hpp"

namespace lbann::compiler {

/// What the plan says beside its program, one line each, then the program's text.
std::string to_text(Plan const& plan);

}  // namespace lbann::compiler
