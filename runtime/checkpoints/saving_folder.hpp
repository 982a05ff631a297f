// Replaces a folder of files, whole or not at all.
#pragma once

#include <filesystem>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>

#include "schemas/vocabulary/result.hpp"

namespace lbann::runtime {

/// Names of the files of a folder.
using FileNames = std::set<std::string, std::less<>>;

/// Why files of these names cannot replace `folder`, or nothing: it is a file, or holds anything
/// but regular files of these names. A folder that does not exist is accepted.
std::optional<Problem> refusal_of_folder(std::filesystem::path const& folder,
                                         FileNames const& files);

/// A new folder beside `target`, called `<target>.saving-...`, locked while its process lives. The
/// destructor removes it unless it has replaced `target`.
class SavingFolder {
 public:
  static Result<SavingFolder> create(std::filesystem::path const& target);
  SavingFolder(SavingFolder&& other) noexcept;
  SavingFolder& operator=(SavingFolder&& other) = delete;
  ~SavingFolder();

  std::filesystem::path const& path() const { return path_; }

  /// Replaces `target` by this folder, durably: after a power failure there is the old folder or
  /// the new one, provided that its files were synced. Of the old folder, only files of these names
  /// are removed; if others have appeared since it was checked, it is kept beside it, under the
  /// name in the problem. Then removes such folders that killed processes have left.
  Result<Success> replace_target(FileNames const& files);

 private:
  SavingFolder(std::filesystem::path target, std::filesystem::path path, int lock)
      : target_(std::move(target)), path_(std::move(path)), lock_(lock) {}

  std::filesystem::path target_, path_;
  int lock_;
};

/// Writes `bytes` at byte `begin` of an open file; false, with errno, if that fails.
bool write_at(int file, std::int64_t begin, std::span<std::byte const> bytes);

/// Writes a new file; `synced`: it is on the disk then. The problem names it.
Result<Success> write_new(std::filesystem::path const& path, std::string_view bytes, bool synced);

/// Removes folders `<target>.saving-...` whose processes are gone. Of this boot of this machine:
/// those that are not locked. Others (of another machine on a shared file system, of an earlier
/// boot, on a file system without locks): those unchanged for a day by the clock of the file
/// system, as the time of the new folder `fresh` shows it.
void remove_abandoned(std::filesystem::path const& target, std::filesystem::path const& fresh);

}  // namespace lbann::runtime
