// Reads `old* -> new*` and applies it.
#include "schemas/callbacks/renaming.hpp"

#include <algorithm>

namespace lbann::callbacks {

namespace {

constexpr std::string_view arrow = "->";

std::string_view trimmed_side(std::string_view text) {
  auto const begin = text.find_first_not_of(' ');
  if (begin == text.npos) return {};
  return text.substr(begin, text.find_last_not_of(' ') - begin + 1);
}

}  // namespace

Result<Renaming> Renaming::parse(std::string_view text) {
  auto const at = text.find(arrow);
  if (at == text.npos) return Problem{"it has no `->`"};
  if (text.find(arrow, at + 1) != text.npos) return Problem{"it has two `->`"};
  auto const from = trimmed_side(text.substr(0, at));
  auto const to = trimmed_side(text.substr(at + arrow.size()));
  if (from.empty() || to.empty()) return Problem{"a side of it is empty"};
  auto const stars = std::ranges::count(from, '*');
  if (stars > 1 || std::ranges::count(to, '*') > 1) return Problem{"a side of it has two `*`"};
  if (stars != std::ranges::count(to, '*')) return Problem{"only one side of it has a `*`"};
  auto const side = [](std::string_view pattern) {
    auto const star = std::min(pattern.find('*'), pattern.size());
    auto const after = std::min(star + 1, pattern.size());
    return Side{std::string(pattern.substr(0, star)), std::string(pattern.substr(after))};
  };
  Renaming renaming;
  renaming.old_ = side(from);
  renaming.new_ = side(to);
  renaming.pattern_ = stars == 1;
  return renaming;
}

std::optional<std::string> Renaming::apply(std::string_view name) const {
  if (!pattern_) return name == old_.before ? std::optional(new_.before) : std::nullopt;
  auto const fixed = old_.before.size() + old_.after.size();
  if (name.size() < fixed || !name.starts_with(old_.before) || !name.ends_with(old_.after))
    return std::nullopt;
  auto const kept = name.substr(old_.before.size(), name.size() - fixed);
  return new_.before + std::string(kept) + new_.after;
}

}  // namespace lbann::callbacks
