// Parts of checkpoints on disks of nodes, before they are drained to the shared file system.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "runtime/checkpoints/manifest.hpp"
#include "runtime/communication/communicator.hpp"
#include "schemas/vocabulary/result.hpp"

namespace lbann::runtime {

// Files of rank r: `<folder of the run>/rank_<r>/step_<steps>/{chunks.bin, manifest.json}`, of rank
// 0 also `plan.bin`. The chunks of the rank lie one after the other behind the header of the state
// file. The manifest is that of the whole checkpoint.
inline constexpr char const* chunks_file_name = "chunks.bin";

/// The folder in `local` for the parts of a run, or of one trainer of it. It depends on the whole
/// path of the run, as runs in different folders may have the same name.
std::filesystem::path local_folder(std::filesystem::path const& local,
                                   std::filesystem::path const& run, std::string const& trainer);

/// The folder for the parts of one rank.
std::filesystem::path folder_of_rank(std::filesystem::path const& local_folder, std::int64_t rank);

/// A checkpoint, all parts of which were found.
struct LocalCheckpoint {
  std::string folder;  ///< name of the folder in `local`
  std::int64_t steps = 0;
  std::int64_t written = 0;           ///< as in the manifest
  std::uint64_t digest = 0;           ///< of the manifest
  std::vector<std::int64_t> holders;  ///< per part, the lowest rank that sees it
};

/// On rank 0 the newest of each folder in `local` that the ranks see all parts of; nothing on the
/// others. Collective.
std::vector<LocalCheckpoint> find_local_checkpoints(Communicator& ranks,
                                                    std::filesystem::path const& local);

/// Brings a checkpoint that rank 0 has found to `folder`, after comparing all digests; its path.
/// `found` null on rank 0: there is none. After a problem there is no trace of it in `folder`.
/// Collective.
Result<std::optional<std::filesystem::path>> drain_local(Communicator& ranks,
                                                         LocalCheckpoint const* found,
                                                         std::filesystem::path const& local,
                                                         std::filesystem::path const& folder);

/// Removes all parts in a folder of a run, of all ranks that have written them on this node.
void remove_parts(std::filesystem::path const& local_folder);

}  // namespace lbann::runtime
