// The work directory of a run.
#pragma once

#include <ctime>
#include <filesystem>
#include <string>

#include "schemas/vocabulary/result.hpp"

namespace lbann::runtime {

/// Makes the new folder `base/<model>_<YYYYMMDD_HHMMSS>`, with `_2`, `_3`, ... appended if runs
/// start in the same second.
Result<std::filesystem::path> make_work_directory(std::filesystem::path const& base,
                                                  std::string const& model, std::time_t now);

}  // namespace lbann::runtime
