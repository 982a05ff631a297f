// Experiments below a folder.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "schemas/vocabulary/result.hpp"

namespace lbann::compiler {

/// Holds patterns of paths that are left out, in and below its folder.
inline constexpr std::string_view ignore_file_name = ".lbannignore";

/// `path` itself if it is a file; the experiments (`.yaml`, `.yml`, `.toml`, `.prototext`,
/// `.protobin`) in and below a folder in order of their names. In folders, what begins with `.` or
/// `_` is left out, parts that others include, and what a `.lbannignore` matches there, further
/// below, or above up to the working directory.
Result<std::vector<std::string>> experiment_files(std::string const& path);

}  // namespace lbann::compiler
