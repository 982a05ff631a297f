// The samples of any reader in one file that is fast to read.
#pragma once

#include <filesystem>
#include <string>

#include "runtime/run_options.hpp"

namespace lbann::runtime {

/// Writes all samples of `role` (empty: the first that there is), as the first epoch has them after
/// their transforms, to the .npz file `out`, as the reader `numpy_npz` takes them: `data`, `labels`
/// as numbers of classes, `responses`. Prints the reader that reads them back. Problems: a field
/// that such a file has no place for, labels that are not one-hot. Returns the exit code.
int pack_data(RunOptions const& run, std::filesystem::path const& out, std::string const& role);

}  // namespace lbann::runtime
