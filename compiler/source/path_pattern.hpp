// Patterns of paths, as in .gitignore.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace lbann::compiler {

/// One line of a file of patterns, which hold for paths below its folder. `*`, `?` and `[a-z]`
/// match within a name, `**` any number of folders; a slash at the end matches folders only; with a
/// slash elsewhere the pattern begins at the folder of its file, else it matches a name at any
/// depth; `!` in front takes back what patterns before it matched.
class PathPattern {
 public:
  /// None of a blank line or a comment, which begins with `#`.
  static std::optional<PathPattern> read(std::string_view line);

  /// Whether it matches the path itself; `path` is relative to the folder of its file.
  bool matches(std::string_view path, bool is_folder) const;
  /// Whether it matches the path of a file or one of the folders above it.
  bool covers(std::string_view path) const;
  bool takes_back() const { return takes_back_; }

 private:
  std::vector<std::string> names_;  ///< between slashes
  bool takes_back_ = false;
  bool folders_only_ = false;
};

}  // namespace lbann::compiler
