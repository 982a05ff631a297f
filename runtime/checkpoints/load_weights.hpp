// Weights of a model from folders and files of other programs.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "runtime/execution/executor.hpp"

namespace lbann::runtime {

/// What is loaded: fields of the callback `load_model`.
struct WeightsToLoad {
  std::vector<std::filesystem::path> paths;  ///< later ones take precedence
  std::string extension = "npy";             ///< of files in folders
  bool partial = false;                      ///< weights that no path has stay as they are
  std::vector<std::string> renames = {};     ///< `old -> new`
};

/// Where `path` is: the first of `folders` that it is in, links followed; else as it is given.
std::filesystem::path find_weights(std::filesystem::path const& path,
                                   std::vector<std::filesystem::path> const& folders);

/// What became of one path.
struct LoadedPath {
  std::filesystem::path path;
  std::size_t weights = 0;             ///< of the model
  std::vector<std::string> loaded;     ///< weights read from it
  std::vector<std::string> elsewhere;  ///< weights that it has, but a later path too
  std::vector<std::string> missing;    ///< weights that it has not
  std::vector<std::string> unused;     ///< names in it that no weights have
};

/// Reads every weights object from the last path that has an array of its name, after renaming, or
/// of PyTorch's name for it (`torch_name`): matrices that the model keeps as [inputs, outputs] are
/// then transposed. Problems: weights that no path has, unless `partial`; none at all; a renaming
/// that matches nothing; another type or shape. All come in one message that names files and the
/// lines of the weights; then no weights have changed, unless a file changes while it is read.
Result<std::vector<LoadedPath>> load_weights(WeightsToLoad const& wanted, Executor const& executor,
                                             Plan const& plan);

/// A line for the log: `weights loaded from m.npz: 4 of 6 (not in it: `a`, `b`; not used: `x`)`.
std::string line_of(LoadedPath const& loaded);

}  // namespace lbann::runtime
