// One place after the other.
#include "schemas/samples/data_places.hpp"

#include <fnmatch.h>

#include <algorithm>
#include <filesystem>

#include "schemas/vocabulary/nearest.hpp"

namespace lbann {

namespace {

namespace fs = std::filesystem;

/// Names in a folder that are looked at for one that was meant, at most: a few milliseconds.
constexpr std::size_t most_names = 2000;

std::string did_you_mean(std::vector<std::string> const& names) {
  std::string text;
  for (auto const& name : names) text += (text.empty() ? " (did you mean `" : "` or `") + name;
  return text.empty() ? text : text + "`?)";
}

/// `good` tells whether something is of the `kind` that is looked for.
Result<std::string> first_place(DataPlaces const& places, std::string const& path,
                                std::string const& kind,
                                bool (*good)(fs::path const&, std::error_code&)) {
  std::string tried;
  std::error_code error;
  bool const absolute = fs::path(path).is_absolute();
  for (auto const& folder : {places.root, std::string("."), places.beside}) {
    if (folder.empty() || (absolute && folder != ".")) continue;
    auto const candidate = absolute || folder == "." ? fs::path(path) : fs::path(folder) / path;
    if (good(candidate, error)) return candidate.string();
    tried += (tried.empty() ? "`" : " or `") + candidate.string() + "`";
  }
  return Problem{"there is no " + kind + " " + tried + did_you_mean(places.similar(path)) +
                 (absolute ? ""
                           : "; relative paths are looked up in --data-root, then in the working "
                             "directory")};
}

}  // namespace

Result<std::string> DataPlaces::find_file(std::string const& path) const {
  return first_place(*this, path, "file", [](fs::path const& candidate, std::error_code& error) {
    return fs::is_regular_file(candidate, error);
  });
}

std::string DataPlaces::last_place(std::string const& path) const {
  return (fs::path(beside) / path).lexically_normal().string();
}

Result<std::string> DataPlaces::find_folder(std::string const& path) const {
  if (path.empty()) return std::string(".");
  return first_place(*this, path, "folder", [](fs::path const& candidate, std::error_code& error) {
    return fs::is_directory(candidate, error);
  });
}

std::vector<std::string> DataPlaces::similar(std::string const& path) const {
  fs::path const given(path);
  std::vector<std::string> names;
  for (auto const& place : {root, std::string("."), beside}) {
    if (place.empty() || (given.is_absolute() && place != ".")) continue;
    auto const folder =
        given.is_absolute() ? given.parent_path() : fs::path(place) / given.parent_path();
    std::error_code error;
    for (fs::directory_iterator at(folder, error), end;
         !error && at != end && names.size() < most_names; at.increment(error))
      names.push_back(at->path().filename().string());
  }
  std::ranges::sort(names);
  std::vector<std::string> found;
  for (auto const& name : nearest(given.filename().string(), {names.begin(), names.end()}))
    found.push_back((given.parent_path() / name).string());
  return found;
}

std::vector<std::string> DataPlaces::match(std::string const& folder,
                                           std::string const& pattern) const {
  std::vector<std::string> names;
  std::error_code error;
  for (auto const& place : {root, std::string("."), beside}) {
    if (place.empty()) continue;
    for (auto const& entry : fs::directory_iterator(fs::path(place) / folder, error)) {
      auto name = entry.path().filename().string();
      if (entry.is_regular_file(error) && ::fnmatch(pattern.c_str(), name.c_str(), FNM_PERIOD) == 0)
        names.push_back(std::move(name));
    }
    if (!names.empty()) break;
  }
  if (names.empty()) return {pattern};
  std::ranges::sort(names);
  return names;
}

std::string path_in(std::string const& folder, std::string const& name) {
  return folder.empty() ? name : (fs::path(folder) / name).string();
}

}  // namespace lbann
