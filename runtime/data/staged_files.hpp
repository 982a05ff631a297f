// Copies of data files on a node's own storage, made while training runs.
#pragma once

#include <sys/stat.h>

#include <atomic>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <unordered_set>
#include <vector>

#include "runtime/communication/communicator.hpp"
#include "schemas/plan/plan.hpp"
#include "schemas/samples/file_staging.hpp"
#include "schemas/vocabulary/result.hpp"

namespace lbann::runtime {

struct StagingOptions {
  std::string folder;           ///< on the node's own storage; empty: no staging
  std::int64_t most_bytes = 0;  ///< of all copies on the node; 0: no limit
  std::int64_t streams = 0;     ///< threads of the node that copy; 0: 16
};

/// What the command line says, else the plan. A folder that only a plan names must be there: a run
/// makes none where a plan says, and writes none but its own files into it.
Result<StagingOptions> staging_of(StagingOptions said, std::optional<Staging> const& plan);

/// What became of files so far, on one rank.
struct StagingCounts {
  /// Files that it is to copy, those that it has copied, with their bytes, and copies of earlier
  /// runs that it has found.
  std::int64_t wanted = 0, copied = 0, bytes = 0, found = 0;
  std::int64_t from_copies = 0, from_files = 0;  ///< times a file was asked for
};

/// Copies lie in `folder`/<boot>/<hash of the path>-<name>, with size and time of the file, which
/// are compared before a copy is used. A copy gets its name when it is complete. What has been
/// copied of a file is gone on with by the next run that comes; a reboot, after which nobody knows
/// what the disk has written, begins anew. Ranks of a node share copies: each makes those of its
/// hashes. Nothing here ends a run: what cannot be copied is read from where it is.
class StagedFiles final : public FileStaging {
 public:
  /// `rank` of the `ranks` of a node.
  static Result<std::shared_ptr<StagedFiles>> open(StagingOptions const& options, std::int64_t rank,
                                                   std::int64_t ranks);
  ~StagedFiles() override { stop(); }

  std::int64_t add(std::int64_t count, std::function<std::string(std::int64_t)> path) override;
  std::string place(std::int64_t number, std::string const& path) override;

  /// Begins to copy all files that were added.
  Result<Success> start();
  /// Ends copying; copies that are there are still served.
  void stop();

  StagingCounts counts() const;
  std::string const& folder() const { return folder_; }
  /// Why copying has ended early; empty: it has not.
  std::string trouble() const;

 private:
  struct Added {
    std::int64_t first, count;
    std::function<std::string(std::int64_t)> path;
  };
  struct Copy {
    std::string name;
    std::int64_t bytes = 0, used = 0;  ///< when it was used last
  };

  StagedFiles(std::string folder, StagingOptions const& options, std::int64_t rank,
              std::int64_t ranks);
  void find_copies();
  void work();
  void stage(std::int64_t number);
  bool make_room(std::int64_t bytes);
  std::optional<std::string> copy(std::string const& from, std::string const& to,
                                  struct stat const& status) const;
  std::string path_of(std::int64_t number) const;
  std::string copy_of(std::string const& path) const;
  void end_early(std::string const& why);

  std::string folder_;
  std::int64_t most_bytes_, streams_;
  std::uint64_t rank_, ranks_;
  std::vector<Added> added_;
  std::int64_t count_ = 0;
  std::deque<std::atomic<bool>> staged_;  ///< per file
  std::unordered_set<std::uint64_t> wanted_;
  std::vector<std::jthread> threads_;
  std::int64_t own_ = 0;  ///< files that this rank copies
  std::atomic<std::int64_t> next_{0}, copied_{0}, bytes_{0}, found_{0};
  std::atomic<std::int64_t> from_copies_{0}, from_files_{0};
  std::atomic<bool> stopping_{false};

  mutable std::mutex mutex_;  ///< of what follows, among threads that copy
  std::vector<Copy> old_;     ///< copies that this run does not want, the oldest last
  std::int64_t used_ = 0;     ///< bytes of this rank's copies
  std::string trouble_;
};

/// Collective: what all `ranks` have copied and read, on rank 0.
std::string summary(StagedFiles const& staged, Communicator& ranks);

}  // namespace lbann::runtime
