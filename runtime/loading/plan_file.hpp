// A plan read from a file, verified.
#pragma once

#include <cstdint>
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

/// The plan of trainer `trainer`, where `first` is that of trainer 0: the last `trainer0` in the
/// name of the file has the trainer's number. The folder stays as it is.
Result<std::filesystem::path> plan_of_trainer(std::filesystem::path const& first,
                                              std::int64_t trainer);

}  // namespace lbann::runtime
