// The option --export of the command line.
#pragma once

#include <filesystem>
#include <memory>

#include "runtime/callbacks/callback.hpp"

namespace lbann::runtime {

/// Checks before training that the weights can be written to the file `path`, writes them after it;
/// with several trainers, to a file of each (`path_of_trainer`).
std::unique_ptr<Controller> export_model(std::filesystem::path path, CallbackContext const& run);

}  // namespace lbann::runtime
