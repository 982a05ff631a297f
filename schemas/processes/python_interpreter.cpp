// The option, the environment, the build.
#include "schemas/processes/python_interpreter.hpp"

#include <cstdlib>

#include "schemas/processes/default_python.hpp"

namespace lbann {

std::string python_interpreter(std::string const& given) {
  if (!given.empty()) return given;
  auto const* const set = std::getenv("LBANN_PYTHON");
  return set != nullptr && *set != '\0' ? set : std::string(default_python);
}

}  // namespace lbann
