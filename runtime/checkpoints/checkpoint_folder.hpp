// Checkpoints on disk: their names, which there are, what they hold.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "runtime/checkpoints/manifest.hpp"
#include "runtime/checkpoints/saving_folder.hpp"
#include "runtime/checkpoints/state_arrays.hpp"

namespace lbann::runtime {

inline constexpr char const* manifest_file_name = "manifest.json";
inline constexpr char const* state_file_name = "state.safetensors";
inline constexpr char const* plan_file_name = "plan.bin";

/// The names of all files of a checkpoint.
FileNames const& checkpoint_files();

/// `step_000000001234`
std::string checkpoint_name(std::int64_t steps);

/// The checkpoints in `folder`, the newest first. They may be damaged.
std::vector<std::filesystem::path> list_checkpoints(std::filesystem::path const& folder);

/// Removes checkpoints but the `newest` and those whose step is a multiple of `every` (0: none).
void remove_old(std::filesystem::path const& folder, std::int64_t newest, std::int64_t every);

/// Removes one checkpoint, or part of one; nothing but their files.
void remove_checkpoint(std::filesystem::path const& path);

/// Removes what killed processes have left in `folder`: checkpoints half written or half removed.
void remove_remains(std::filesystem::path const& folder);

/// The manifest of a checkpoint. The problem names the file.
Result<Manifest> read_manifest(std::filesystem::path const& checkpoint);

/// Whether the manifest is sound and the other files have their sizes. No other byte is read.
bool looks_whole(std::filesystem::path const& checkpoint);

/// The bytes of the checkpoint's plan.
Result<std::vector<std::uint8_t>> read_plan_bytes(std::filesystem::path const& checkpoint,
                                                  Manifest const& manifest);

/// Reads the state of a checkpoint into `arrays`, which must be those it holds, in any order; only
/// arrays of callbacks may be missing on either side. The problem names what is damaged, missing or
/// of another shape; then some arrays may have changed.
Result<Success> load_state(std::filesystem::path const& checkpoint, Manifest const& manifest,
                           std::vector<StateArray> arrays);

}  // namespace lbann::runtime
