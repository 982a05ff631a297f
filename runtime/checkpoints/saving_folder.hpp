// A folder of files that another takes the place of, whole or not at all.
#pragma once

#include <filesystem>
#include <optional>
#include <set>
#include <string>

#include "schemas/vocabulary/result.hpp"

namespace lbann::runtime {

/// Names of the files of a folder.
using FileNames = std::set<std::string, std::less<>>;

/// Why the files of these names cannot take the place of what `folder` holds, or nothing: it is a
/// file, or holds anything but regular files of these names. A folder that does not exist is good.
std::optional<Problem> refusal_of_folder(std::filesystem::path const& folder,
                                         FileNames const& files);

/// A new folder beside `target`, called `<target>.saving-...`, locked while its process lives.
/// Destroyed before it has taken its place, it is removed.
class SavingFolder {
 public:
  static Result<SavingFolder> create(std::filesystem::path const& target);
  SavingFolder(SavingFolder&& other) noexcept;
  SavingFolder& operator=(SavingFolder&& other) = delete;
  ~SavingFolder();

  std::filesystem::path const& path() const { return path_; }

  /// Puts this folder in the place of `target`. Of what was there, only files of these names are
  /// removed; if others have come since it was looked at, the old folder is kept beside it, under
  /// the name that the problem tells. Then removes what killed processes have left of such folders.
  Result<Success> take_place(FileNames const& files);

 private:
  SavingFolder(std::filesystem::path target, std::filesystem::path path, int lock)
      : target_(std::move(target)), path_(std::move(path)), lock_(lock) {}

  std::filesystem::path target_, path_;
  int lock_;
};

/// Removes folders `<target>.saving-...` whose processes are gone. Of this machine, since it was
/// started: those that nobody holds locked. Others (of another machine that sees the same files, of
/// a time before this one was started, on a file system without locks): those in which nothing has
/// changed for a day by the clock of the file system, which has just given `fresh` its time.
void remove_abandoned(std::filesystem::path const& target, std::filesystem::path const& fresh);

}  // namespace lbann::runtime
