// Names are matched by fnmatch(3), folders as a text with stars is.
#include "compiler/source/path_pattern.hpp"

#include <fnmatch.h>

#include <cstddef>

namespace lbann::compiler {

namespace {

std::vector<std::string> names_of(std::string_view path) {
  std::vector<std::string> names;
  while (!path.empty()) {
    auto const end = path.find('/');
    if (end != 0) names.emplace_back(path.substr(0, end));
    path.remove_prefix(end == path.npos ? path.size() : end + 1);
  }
  return names;
}

}  // namespace

std::optional<PathPattern> PathPattern::read(std::string_view line) {
  while (!line.empty() && (line.back() == ' ' || line.back() == '\r' || line.back() == '\t'))
    line.remove_suffix(1);
  if (line.empty() || line.front() == '#') return std::nullopt;
  PathPattern pattern;
  pattern.takes_back_ = line.front() == '!';
  if (pattern.takes_back_) line.remove_prefix(1);
  pattern.folders_only_ = line.ends_with('/');
  if (pattern.folders_only_) line.remove_suffix(1);
  bool const anchored = line.find('/') != line.npos;
  pattern.names_ = names_of(line);
  if (pattern.names_.empty()) return std::nullopt;
  if (!anchored) pattern.names_.insert(pattern.names_.begin(), "**");
  if (pattern.names_.back() == "**") pattern.names_.emplace_back("*");  // what is in a folder
  return pattern;
}

bool PathPattern::matches(std::string_view path, bool is_folder) const {
  if (folders_only_ && !is_folder) return false;
  auto const path_names = names_of(path);
  std::size_t name = 0, wanted = 0;
  auto behind_star = names_.size(), retried = std::size_t{0};  // the last `**`, and where it ends
  while (name < path_names.size()) {
    if (wanted < names_.size() && names_[wanted] == "**") {
      behind_star = ++wanted;
      retried = name;
    } else if (wanted < names_.size() &&
               ::fnmatch(names_[wanted].c_str(), path_names[name].c_str(), 0) == 0) {
      ++name;
      ++wanted;
    } else if (behind_star < names_.size()) {
      wanted = behind_star;
      name = ++retried;
    } else {
      return false;
    }
  }
  return wanted == names_.size();
}

bool PathPattern::covers(std::string_view path) const {
  for (auto end = path.find('/'); end != path.npos; end = path.find('/', end + 1))
    if (matches(path.substr(0, end), true)) return true;
  return matches(path, false);
}

}  // namespace lbann::compiler
