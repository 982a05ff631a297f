// Which valid name was probably meant.
#include "schemas/vocabulary/nearest.hpp"

#include <algorithm>
#include <cctype>
#include <cstddef>
#include <utility>
namespace lbann {

namespace {

/// A name as far as its meaning goes: lower case, without separators.
std::string plain_name(std::string_view name) {
  std::string text;
  for (unsigned char c : name)
    if (c != '_' && c != '-' && c != ' ') text += static_cast<char>(std::tolower(c));
  return text;
}

/// Number of insertions, deletions, replacements and swaps of neighbours (optimal string
/// alignment) that make `a` of `b`.
std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> before(b.size() + 1), last(b.size() + 1), row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) last[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      auto const replaced = last[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
      row[j] = std::min({last[j] + 1, row[j - 1] + 1, replaced});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
        row[j] = std::min(row[j], before[j - 2] + 1);
    }
    std::swap(before, last);
    std::swap(last, row);
  }
  return last[b.size()];
}

}  // namespace

std::vector<std::string> nearest(std::string_view given,
                                 std::vector<std::string_view> const& accepted) {
  constexpr std::size_t longest = 64;
  auto const text = plain_name(given);
  if (text.empty() || text.size() > longest) return {};
  std::vector<std::pair<std::size_t, std::string_view>> candidates;
  for (auto name : accepted) {
    auto const other = plain_name(name);
    if (other.empty() || other.size() > longest) continue;
    auto const shorter = std::min(text.size(), other.size());
    auto const longer = std::max(text.size(), other.size());
    auto const found = edit_distance(text, other);
    auto const part = shorter >= 3 && (other.find(text) != std::string::npos ||
                                       text.find(other) != std::string::npos);
    if (found <= (longer + 2) / 4 || (found <= 2 && longer >= 4))
      candidates.emplace_back(2 * found, name);
    else if (part)
      candidates.emplace_back(longest + longer - shorter, name);
  }
  std::stable_sort(candidates.begin(), candidates.end(),
                   [](auto const& a, auto const& b) { return a.first < b.first; });
  std::vector<std::string> names;
  for (auto const& [rank, name] : candidates) {
    bool const much_worse = rank > 2 * candidates.front().first + 2;
    if (names.size() == 3 || (much_worse && candidates.front().first < longest)) break;
    if (std::find(names.begin(), names.end(), name) == names.end()) names.emplace_back(name);
  }
  return names;
}

std::size_t typing_errors(std::string_view a, std::string_view b) {
  return edit_distance(plain_name(a), plain_name(b));
}

bool is_misspelt(std::string_view given, std::vector<std::string> const& candidates) {
  constexpr std::size_t most_errors = 2;
  if (candidates.empty()) return false;
  auto const errors = typing_errors(given, candidates[0]);
  return errors <= most_errors &&
         (candidates.size() == 1 || errors < typing_errors(given, candidates[1]));
}

}  // namespace lbann
