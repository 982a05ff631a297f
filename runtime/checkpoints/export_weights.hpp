// All weights of a model in one file that other programs read.
#pragma once

#include <filesystem>
#include <string>

#include "runtime/execution/executor.hpp"

namespace lbann::runtime {

/// Whether files of this ending can be exported: `.safetensors` or `.npz`.
bool can_export(std::filesystem::path const& path);

/// The file of one of several trainers: `<folder>/trainer<n>/<file>`; `path` if there is only one.
std::filesystem::path path_of_trainer(std::filesystem::path const& path, std::int64_t trainer,
                                      std::int64_t trainers);

/// Whether the model can be exported to `path` after training, as far as can be known before: its
/// folder exists and can be written, the types of the weights can be said. Makes the folder of a
/// trainer.
Result<Success> check_export(std::filesystem::path const& path, std::int64_t trainer,
                             std::int64_t trainers, Executor const& executor, Plan const& plan);

/// Writes every weights object under its name to `path`, which holds all the old bytes or all the
/// new ones.
Result<Success> export_weights(std::filesystem::path const& path, Executor const& executor,
                               Plan const& plan);

}  // namespace lbann::runtime
