// A plan read from a file, verified.
#pragma once

#include <filesystem>
#include <vector>

#include "schemas/plan/plan.hpp"

namespace lbann::runtime {

struct PlanFile {
  Plan plan;
  std::vector<std::uint8_t> bytes;  ///< contents of the file
};

/// Reads and decodes `path`; the problem names the file and what to do about it.
Result<PlanFile> read_plan(std::filesystem::path const& path);

}  // namespace lbann::runtime
