// Words of lines, with their places.
#include "compiler/command/given_fields.hpp"

#include <algorithm>
#include <filesystem>

#include "compiler/source/files.hpp"
#include "compiler/source/text_checks.hpp"

namespace lbann::compiler {

namespace {

namespace fs = std::filesystem;

std::string absolute(std::string const& path) {
  std::error_code failure;
  return fs::weakly_canonical(fs::absolute(path, failure), failure).string();
}

}  // namespace

Result<GivenFields> GivenFields::read(std::string const& path) {
  auto text = read_file(path, largest_text);
  if (!text) return text.problem();
  GivenFields given;
  given.source_ = {path, std::move(text).value()};
  given.folder_ = fs::path(absolute(path)).parent_path().string();
  std::string_view const all = given.source_.text;
  std::size_t number = 1;
  for (std::size_t begin = 0; begin < all.size(); ++number) {
    auto const end = std::min(all.find('\n', begin), all.size());
    auto const line = all.substr(begin, end - begin);
    auto const pattern = PathPattern::read(line.substr(0, line.find_first_of(" \t")));
    std::size_t fields = 0;
    for (auto at = line.find_first_of(" \t"); pattern && at < line.size();) {
      auto const word = line.find_first_not_of(" \t\r", at);
      if (word == line.npos) break;
      at = std::min(line.find_first_of(" \t\r", word), line.size());
      given.entries_.push_back({*pattern, static_cast<std::uint32_t>(begin + word),
                                static_cast<std::uint32_t>(begin + at)});
      ++fields;
    }
    if (pattern && fields == 0)
      return Problem{path + ":" + std::to_string(number) +
                     ": a line is a pattern of paths and dims of fields, e.g. `mnist/*.yaml "
                     "samples=1x28x28 labels=10`"};
    begin = end + 1;
  }
  return given;
}

std::vector<GivenDims> GivenFields::of(std::string const& experiment) const {
  std::vector<GivenDims> dims;
  if (entries_.empty()) return dims;
  auto const path = fs::path(absolute(experiment)).lexically_relative(folder_).string();
  for (auto const& [pattern, begin, end] : entries_)
    if (pattern.covers(path)) dims.push_back({source_, begin, end});
  return dims;
}

}  // namespace lbann::compiler
