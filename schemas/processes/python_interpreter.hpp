// Which interpreter runs a user's Python.
#pragma once

#include <string>

namespace lbann {

/// `given` (the option `--python`) unless it is empty, else the environment's LBANN_PYTHON, else
/// what the build's option `python` names. A path, or a name that is looked up on PATH.
std::string python_interpreter(std::string const& given);

}  // namespace lbann
