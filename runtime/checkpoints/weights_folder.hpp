// All weights of a model as a folder of .npy files.
#pragma once

#include <filesystem>
#include <string>

#include "runtime/execution/executor.hpp"

namespace lbann::runtime {

/// Whether weights can be saved in `folder`: it holds only files of this model, and its parent is
/// writable.
Result<Success> check_weights_folder(std::filesystem::path const& folder,
                                     std::string const& extension, Plan const& plan);

/// Writes every weights object as `folder/<name>.<extension>`: to a folder beside it, which then
/// replaces it, so that `folder` holds either all the old files or all the new ones. A folder that
/// holds any other file is refused. Rank 0 of a trainer writes; where ranks hold parts of weights,
/// all call it.
Result<Success> save_weights(std::filesystem::path const& folder, std::string const& extension,
                             Executor const& executor, Plan const& plan);

}  // namespace lbann::runtime
