// Names of things as names of files, and paths that do not lead out of a folder.
#include "schemas/files/file_name.hpp"

#include <charconv>
#include <vector>

namespace lbann {

namespace {

/// What stands between slashes, empty texts included.
std::vector<std::string_view> components(std::string_view path) {
  std::vector<std::string_view> parts;
  for (std::size_t begin = 0;;) {
    auto const end = path.find('/', begin);
    parts.push_back(path.substr(begin, end - begin));
    if (end == std::string_view::npos) return parts;
    begin = end + 1;
  }
}

}  // namespace

std::string file_name(std::string_view name) {
  constexpr std::string_view digits = "0123456789ABCDEF";
  std::string text;
  for (char const c : name) {
    auto const byte = static_cast<unsigned char>(c);
    bool const plain =
        byte >= 0x20 && byte != 0x7f && c != '/' && c != '%' && (c != '.' || !text.empty());
    if (plain)
      text += c;
    else
      text += {'%', digits[byte >> 4], digits[byte & 15]};
  }
  return text;
}

std::string name_of_file(std::string_view component) {
  std::string name;
  while (!component.empty()) {
    unsigned byte = 0;
    auto const* const digits = component.data() + 1;
    bool const escape = component.front() == '%' && component.size() >= 3 &&
                        std::from_chars(digits, digits + 2, byte, 16).ptr == digits + 2;
    name += escape ? static_cast<char>(byte) : component.front();
    component.remove_prefix(escape ? 3 : 1);
  }
  return name;
}

bool stays_within(std::string_view path) {
  if (path.starts_with('/') || path.find('\0') != std::string_view::npos) return false;
  for (auto const part : components(path))
    if (part == "..") return false;
  return true;
}

std::string confined(std::string_view path) {
  std::vector<std::string_view> kept;
  auto const parts = components(path);
  for (auto const part : parts) {
    if (part == ".." && !kept.empty()) kept.pop_back();
    if (part != ".." && part != "." && !part.empty()) kept.push_back(part);
  }
  std::string text;
  for (auto const part : kept) text += (text.empty() ? "" : "/") + std::string(part);
  // What is the beginning of file names may be a folder.
  if (parts.back().empty() && !kept.empty()) text += '/';
  std::erase(text, '\0');
  return text;
}

}  // namespace lbann
