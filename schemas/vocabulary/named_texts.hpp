// Texts by name, from a list of `name=text`.
#pragma once

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace lbann {

/// Names, each with its texts, in the order in which they first occur. A name holds no `=`.
struct NamedTexts {
  std::vector<std::pair<std::string, std::vector<std::string>>> entries;

  bool empty() const { return entries.empty(); }
  /// The texts of a name, or null.
  std::vector<std::string> const* find(std::string_view name) const {
    auto const found =
        std::ranges::find(entries, name, [](auto const& each) { return each.first; });
    return found == entries.end() ? nullptr : &found->second;
  }
  void add(std::string_view name, std::string text) {
    for (auto& [known, texts] : entries)
      if (known == name) return texts.push_back(std::move(text));
    entries.push_back({std::string(name), {std::move(text)}});
  }

  /// Nothing if a text of the list has no name.
  static std::optional<NamedTexts> of_list(std::vector<std::string> const& list) {
    NamedTexts named;
    for (auto const& each : list) {
      auto const equals = each.find('=');
      if (equals == each.npos || equals == 0) return std::nullopt;
      named.add(std::string_view(each).substr(0, equals), each.substr(equals + 1));
    }
    return named;
  }
};

}  // namespace lbann
