// What `lbann-compile --version` prints.
#pragma once

#include <string>

namespace lbann::compiler {

/// Version, revision, format of plans and the libraries that texts are read with; several lines.
std::string version_text();

}  // namespace lbann::compiler
