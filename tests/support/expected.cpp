// The one place of C++ tests that knows the switch.
#include "tests/support/expected.hpp"

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <stdexcept>
#include <utility>
#include <vector>

namespace lbann::tests {

namespace {

constexpr std::string_view heading = "=== ";

bool accepting() {
  auto const* const wish = std::getenv("ACCEPT_EXPECTED");
  return wish != nullptr && std::string_view(wish) == "1";
}

std::filesystem::path place_of(std::string const& path) {
  auto const* const root = std::getenv("LBANN_SOURCE_ROOT");
  if (root == nullptr)
    throw std::runtime_error("LBANN_SOURCE_ROOT names the folder of the sources");
  return std::filesystem::path(root) / path;
}

/// Writes `text` and says so; throws where it cannot.
std::string accept(std::string const& path, std::string const& text) {
  std::ofstream file(place_of(path), std::ios::binary);
  if (!(file << text).flush()) throw std::runtime_error(path + " cannot be written");
  return path + ": accepted what was found; run again without ACCEPT_EXPECTED";
}

std::string compare(std::string const& place, std::string const& expected,
                    std::string const& found) {
  if (expected == found) return "";
  return place + " expects\n" + expected + "but found\n" + found +
         "(ACCEPT_EXPECTED=1 accepts what is found)";
}

/// The sections of a file in their order: name and text.
using Sections = std::vector<std::pair<std::string, std::string>>;

Sections sections_of(std::string const& text) {
  Sections sections;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with(heading))
      sections.emplace_back(line.substr(heading.size()), "");
    else if (!sections.empty())
      sections.back().second += line + '\n';
  }
  return sections;
}

}  // namespace

std::string expected_text(std::string const& path) {
  std::ostringstream text;
  text << std::ifstream(place_of(path), std::ios::binary).rdbuf();
  return text.str();
}

std::string difference(std::string const& path, std::string const& found) {
  return accepting() ? accept(path, found) : compare(path, expected_text(path), found);
}

std::string difference(std::string const& path, std::string_view section,
                       std::string const& found) {
  auto sections = sections_of(expected_text(path));
  auto place = sections.begin();
  while (place != sections.end() && place->first != section) ++place;
  if (!accepting())
    return compare(path + ", section " + std::string(section),
                   place == sections.end() ? "(no such section)\n" : place->second, found);
  if (place == sections.end())
    sections.emplace_back(section, found);
  else
    place->second = found;
  std::string text;
  for (auto const& [name, words] : sections) text += std::string(heading) + name + '\n' + words;
  return accept(path, text);
}

}  // namespace lbann::tests
