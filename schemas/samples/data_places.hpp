// Where data are looked for.
#pragma once

#include <string>
#include <vector>

#include "schemas/vocabulary/result.hpp"

namespace lbann {

/// Places in their order: `root` (`--data-root`), the working directory, `beside` (the folder of
/// the experiment, which only the compiler knows); an empty one is left out. An absolute path is
/// taken as it is.
struct DataPlaces {
  std::string root = {};
  std::string beside = {};

  /// The first place where a regular file is; the problem tells where it was looked for.
  Result<std::string> find_file(std::string const& path) const;
  /// Where a file would be found last: `path` beside the experiment.
  std::string last_place(std::string const& path) const;
  /// The first place where a folder is; the working directory if `path` is empty.
  Result<std::string> find_folder(std::string const& path) const;
  /// Paths beside `path`, at each place, whose names resemble its own (at most three, nearest
  /// first), written as `path` is.
  std::vector<std::string> similar(std::string const& path) const;
  /// Names of the files of a folder that match `pattern` (`*`: any characters, `?`: one, `[ab]`:
  /// one of these), in their order, at the first place where there are any; else the pattern
  /// itself.
  std::vector<std::string> match(std::string const& folder, std::string const& pattern) const;
};

/// A file of a folder, both as the experiment writes them; the folder may be empty.
std::string path_in(std::string const& folder, std::string const& name);

}  // namespace lbann
