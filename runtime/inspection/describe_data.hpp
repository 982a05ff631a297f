// What is in the data of a plan.
#pragma once

#include <filesystem>

#include "runtime/run_options.hpp"

namespace lbann::runtime {

/// Reads every sample of every role, as the first epoch has them after their transforms, and prints
/// their number, and of each field dims, range, mean, deviation and samples per class; with
/// `images` also writes the first images of each role to a PNG file. Returns the exit code.
int describe_data(RunOptions const& run, std::filesystem::path const& images);

}  // namespace lbann::runtime
