// Walking folders in order of names.
#include "compiler/source/experiment_files.hpp"

#include <algorithm>
#include <array>
#include <filesystem>

#include "compiler/source/files.hpp"
#include "compiler/source/path_pattern.hpp"
#include "compiler/source/text_checks.hpp"

namespace lbann::compiler {

namespace {

namespace fs = std::filesystem;

constexpr std::array<std::string_view, 5> extensions = {".yaml", ".yml", ".toml", ".prototext",
                                                        ".protobin"};

class Walk {
 public:
  /// Experiments in and below `folder`, an absolute path that is shown as `shown`.
  Result<Success> below(fs::path const& folder, fs::path const& shown) {
    auto const outer = ignored_.size();
    if (auto read = take_ignored(folder); !read) return read;
    std::error_code failure;
    std::vector<fs::directory_entry> entries;
    for (fs::directory_iterator entry(folder, failure), end; !failure && entry != end;
         entry.increment(failure))
      entries.push_back(*entry);
    if (failure) return Problem{shown.string() + ": cannot be listed: " + failure.message()};
    std::sort(entries.begin(), entries.end());
    for (auto const& entry : entries) {
      auto const name = entry.path().filename().string();
      if (name.empty() || name.front() == '.' || name.front() == '_') continue;
      std::error_code unreadable;
      bool const goes_in = entry.is_directory(unreadable) && !entry.is_symlink(unreadable);
      if (is_ignored(entry.path(), goes_in)) continue;
      if (goes_in) {
        if (auto good = below(entry.path(), shown / name); !good) return good;
      } else if (std::ranges::find(extensions, entry.path().extension().string()) !=
                 extensions.end()) {
        files.push_back((shown / name).string());
      }
    }
    ignored_.resize(outer);
    return Success{};
  }

  /// What the file `.lbannignore` of a folder says holds from here on.
  Result<Success> take_ignored(fs::path const& folder) {
    auto const file = folder / ignore_file_name;
    std::error_code none;
    if (!fs::exists(file, none)) return Success{};
    auto const text = read_file(file.string(), largest_text);
    if (!text) return text.problem();
    ignored_.push_back({folder, {}});
    for (std::string_view rest = text.value(); !rest.empty();) {
      auto const end = rest.find('\n');
      if (auto pattern = PathPattern::read(rest.substr(0, end)))
        ignored_.back().patterns.push_back(std::move(*pattern));
      rest.remove_prefix(end == rest.npos ? rest.size() : end + 1);
    }
    return Success{};
  }

  std::vector<std::string> files;

 private:
  struct Ignored {
    fs::path folder;
    std::vector<PathPattern> patterns;
  };

  /// The last pattern that matches decides, of inner folders before those of outer ones.
  bool is_ignored(fs::path const& path, bool is_folder) const {
    bool is = false;
    for (auto const& [folder, patterns] : ignored_) {
      auto const relative = path.lexically_relative(folder).string();
      for (auto const& pattern : patterns)
        if (pattern.matches(relative, is_folder)) is = !pattern.takes_back();
    }
    return is;
  }

  std::vector<Ignored> ignored_;  ///< outer folders first
};

}  // namespace

Result<std::vector<std::string>> experiment_files(std::string const& path) {
  std::error_code failure;
  if (!fs::is_directory(path, failure)) return std::vector<std::string>{path};
  auto const start = fs::current_path(failure);
  auto folder = (start / path).lexically_normal();
  if (!folder.has_filename()) folder = folder.parent_path();  // it ended with a slash
  Walk walk;
  auto const way = folder.lexically_relative(start);
  auto above = start;
  if (!way.empty() && way.begin()->string() != "..")
    for (auto const& name : way) {
      if (name == ".") break;
      if (auto const read = walk.take_ignored(above); !read) return read.problem();
      above /= name;
    }
  auto const shown = fs::path(path).lexically_normal();
  if (auto const good = walk.below(folder, shown == "." ? "" : shown); !good) return good.problem();
  return std::move(walk.files);
}

}  // namespace lbann::compiler
