// The samples of any reader in one file that is fast to read.
#pragma once

#include <filesystem>
#include <string>

#include "runtime/run_options.hpp"

namespace lbann::runtime {

/// Whether `path` has an ending that samples can be packed with.
bool can_pack(std::filesystem::path const& path);

/// Writes all samples of `role` (empty: the first that there is), as the first epoch has them after
/// their transforms, to the .h5 or .npz file `out`: a dataset or array of each field, by its name,
/// `labels` that are one axis as numbers of classes. Prints the reader that reads them back.
/// Problems: labels that are not one-hot, or of several axes in an .npz file. Returns the exit
/// code.
int pack_data(RunOptions const& run, std::filesystem::path const& out, std::string const& role);

}  // namespace lbann::runtime
