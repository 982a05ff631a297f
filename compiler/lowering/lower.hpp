// From the finished program to the plan.
#pragma once

#include "compiler/compilation/compilation.hpp"
#include "schemas/plan/plan.hpp"

namespace lbann::compiler {

/// The plan of a compilation whose passes have all run, with its program taken out; the caller adds
/// the sources.
Plan lower(Compilation&& compilation);

}  // namespace lbann::compiler
