// Which build of which sources a command is.
#pragma once

#include <string>
#include <string_view>

namespace lbann {

/// `lbann-run 0.1.0 (git 28d82a8)`: the project's version and, where the sources were built in
/// their git repository, what `git describe` calls them. The commands alone link it.
std::string version_line(std::string_view command);

}  // namespace lbann
