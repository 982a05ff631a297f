// Experiments below a folder.
#pragma once

#include <string>
#include <vector>

#include "schemas/vocabulary/result.hpp"

namespace lbann::compiler {

/// `path` itself if it is a file; the experiments (`.yaml`, `.yml`, `.toml`, `.prototext`,
/// `.protobin`) in and below a folder in order of their names. In folders, what begins with `.` or
/// `_` is left out: parts that others include.
Result<std::vector<std::string>> experiment_files(std::string const& path);

}  // namespace lbann::compiler
