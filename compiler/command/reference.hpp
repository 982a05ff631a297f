// What lbann-compile tells of itself, without an experiment.
#pragma once

#include <string>

namespace lbann::compiler {

std::string list_of_stages();
std::string list_of_passes();

/// Prints a reference page; gives the exit code.
int print_reference(std::string const& name);

/// Prints what a code of a diagnostic, a layer, ... is about; gives the exit code.
int print_explanation(std::string const& name);

}  // namespace lbann::compiler
