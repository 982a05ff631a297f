// One place after the other.
#include "compiler/experiment/data_places.hpp"

#include <filesystem>

#include "schemas/processes/python_interpreter.hpp"

namespace lbann::compiler {

namespace {

template <class Good>
std::optional<std::string> first_place(DataPlaces const& places, std::string const& path,
                                       Good good) {
  if (std::filesystem::path(path).is_absolute())
    return good(std::filesystem::path(path)) ? std::optional(path) : std::nullopt;
  for (auto const& folder : {places.root, std::string("."), places.beside}) {
    if (folder.empty()) continue;
    auto const candidate = std::filesystem::path(folder) / path;
    if (good(candidate)) return candidate.string();
  }
  return std::nullopt;
}

}  // namespace

std::optional<std::string> DataPlaces::find_file(std::string const& path) const {
  return first_place(*this, path, [](std::filesystem::path const& candidate) {
    std::error_code error;
    return std::filesystem::is_regular_file(candidate, error);
  });
}

std::optional<std::string> DataPlaces::find_folder(std::string const& path) const {
  if (path.empty()) return ".";
  return first_place(*this, path, [](std::filesystem::path const& candidate) {
    std::error_code error;
    return std::filesystem::is_directory(candidate, error);
  });
}

std::string DataPlaces::interpreter() const { return python_interpreter(python); }

}  // namespace lbann::compiler
