// An experiment as text, all defaults filled.
#pragma once

#include <string>

#include "compiler/experiment/experiment.hpp"

namespace lbann::compiler {

/// The experiment in the language itself, every field written out; reading it gives it again.
std::string to_text(Experiment const& experiment);

}  // namespace lbann::compiler
