// The work directory of a run.
#pragma once

#include <ctime>
#include <filesystem>
#include <string>

#include "schemas/vocabulary/result.hpp"

namespace lbann::runtime {

/// Makes the new folder `base/<model>_<YYYYMMDD_HHMMSS>`, with `_2`, `_3`, ... appended if runs
/// start in the same second; and a folder of this name in `beside`, if that is not empty, where it
/// can be made.
Result<std::filesystem::path> make_work_directory(std::filesystem::path const& base,
                                                  std::filesystem::path const& beside,
                                                  std::string const& model, std::time_t now);

}  // namespace lbann::runtime
