// Walking folders in order of names.
#include "compiler/source/experiment_files.hpp"

#include <algorithm>
#include <array>
#include <filesystem>

namespace lbann::compiler {

namespace {

namespace fs = std::filesystem;

constexpr std::array<std::string_view, 5> extensions = {".yaml", ".yml", ".toml", ".prototext",
                                                        ".protobin"};

void collect(fs::path const& folder, std::vector<std::string>& files, std::error_code& failure) {
  std::vector<fs::directory_entry> entries;
  for (fs::directory_iterator entry(folder, failure), end; !failure && entry != end;
       entry.increment(failure))
    entries.push_back(*entry);
  std::sort(entries.begin(), entries.end());
  for (auto const& entry : entries) {
    auto const name = entry.path().filename().string();
    if (name.empty() || name.front() == '.' || name.front() == '_') continue;
    std::error_code unreadable;
    if (entry.is_directory(unreadable) && !entry.is_symlink(unreadable))
      collect(entry.path(), files, failure);
    else if (std::find(extensions.begin(), extensions.end(), entry.path().extension().string()) !=
             extensions.end())
      files.push_back(entry.path().string());
    if (failure) return;
  }
}

}  // namespace

Result<std::vector<std::string>> experiment_files(std::string const& path) {
  std::error_code failure;
  if (!fs::is_directory(path, failure)) return std::vector<std::string>{path};
  std::vector<std::string> files;
  collect(path, files, failure);
  if (failure) return Problem{path + ": cannot be listed: " + failure.message()};
  return files;
}

}  // namespace lbann::compiler
