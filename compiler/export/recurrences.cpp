// Windows of growing length: only what recurs can recur with one entry more.
#include "compiler/export/recurrences.hpp"

#include <algorithm>
#include <cstdint>
#include <map>
#include <unordered_map>

namespace lbann::compiler {

namespace {

constexpr std::size_t fewest_layers = 3, most_layers = 150, most_of_a_length = 12;
constexpr std::size_t fewest_lines = 8;  ///< that must be saved

using Groups = std::unordered_map<std::uint64_t, std::vector<std::size_t>>;

std::vector<std::size_t> apart(std::vector<std::size_t> const& starts, std::size_t length) {
  std::vector<std::size_t> result;
  for (auto const start : starts)
    if (result.empty() || start >= result.back() + length) result.push_back(start);
  return result;
}

struct Candidate {
  Recurrence recurrence;
  std::size_t saved;  ///< lines, at most
};

class Search {
 public:
  Search(std::vector<Piece> const& pieces, std::vector<bool> const& used)
      : pieces_(pieces), hashes_(pieces.size(), 0) {
    std::unordered_map<std::string, std::uint64_t> kinds;
    lines_.push_back(0);
    for (std::size_t i = 0; i < pieces.size(); ++i) {
      kinds_.push_back(kinds.emplace(pieces[i].kind, kinds.size()).first->second);
      lines_.push_back(lines_.back() + pieces[i].lines);
      fit_.push_back(pieces[i].layer && !used[i]);
    }
  }

  std::vector<Candidate> all() {
    Groups groups;
    for (std::size_t i = 0; i < pieces_.size(); ++i) groups[0].push_back(i);
    for (std::size_t length = 0; length <= most_layers && !groups.empty(); ++length) {
      auto longer = extended(groups, length);
      for (auto& [hash, starts] : groups)
        if (length >= fewest_layers && !goes_on(starts, length, longer)) consider(starts, length);
      std::erase_if(longer, [](auto const& group) { return group.second.size() < 2; });
      groups = std::move(longer);
    }
    sort();
    return std::move(found_);
  }

 private:
  /// Windows with one entry more, by the kinds of their entries.
  Groups extended(Groups const& groups, std::size_t length) {
    Groups longer;
    for (auto const& [hash, starts] : groups)
      for (auto const start : starts) {
        if (start + length >= pieces_.size() || !fit_[start + length]) continue;
        hashes_[start] = mixed(hashes_[start], kinds_[start + length]);
        longer[hashes_[start]].push_back(start);
      }
    return longer;
  }

  static std::uint64_t mixed(std::uint64_t hash, std::uint64_t value) {
    hash = (hash + value + 1) * 0x9e3779b97f4a7c15U;
    return hash ^ (hash >> 29U);
  }

  /// Whether the windows can all be one entry longer, and are still as many.
  bool goes_on(std::vector<std::size_t> const& starts, std::size_t length,
               Groups const& longer) const {
    auto const with = longer.find(hashes_[starts.front()]);
    return with != longer.end() && with->second.size() == starts.size() &&
           apart(starts, length).size() == apart(starts, length + 1).size();
  }

  /// Those first that save most, a few of each length.
  void sort() {
    std::ranges::sort(found_, [](Candidate const& a, Candidate const& b) {
      if (a.saved != b.saved) return a.saved > b.saved;
      if (a.recurrence.length != b.recurrence.length)
        return a.recurrence.length < b.recurrence.length;
      return a.recurrence.starts < b.recurrence.starts;
    });
    std::map<std::size_t, std::size_t> lengths;
    std::erase_if(found_, [&](Candidate const& candidate) {
      return ++lengths[candidate.recurrence.length] > most_of_a_length;
    });
  }

  /// At most what the first instance has, in every other one.
  std::size_t saved(std::vector<std::size_t> const& starts, std::size_t length) const {
    auto const lines = lines_[starts[0] + length] - lines_[starts[0]];
    return lines * (starts.size() - 1);
  }

  /// Edges within decide which windows of equal kinds are the same.
  void consider(std::vector<std::size_t> const& starts, std::size_t length) {
    auto const far = apart(starts, length);
    if (far.size() < 2 || saved(far, length) < fewest_lines) return;
    std::map<std::uint64_t, std::vector<std::size_t>> structures;
    for (auto const start : starts) structures[edges(start, length)].push_back(start);
    for (auto const& [hash, alike] : structures) {
      auto chosen = apart(alike, length);
      std::erase_if(chosen, [&](std::size_t start) {
        return !same_structure(pieces_, chosen.front(), start, length);
      });
      if (chosen.size() < 2 || saved(chosen, length) < fewest_lines) continue;
      auto const lines = saved(chosen, length);
      found_.push_back({{std::move(chosen), length}, lines});
    }
  }

  std::uint64_t edges(std::size_t start, std::size_t length) const {
    std::uint64_t hash = 0;
    for (auto i = start; i < start + length; ++i)
      for (auto const& reference : pieces_[i].references)
        hash = mixed(hash, inside(reference, start, length).value_or(length));
    return hash;
  }

  std::vector<Piece> const& pieces_;
  std::vector<std::uint64_t> kinds_, hashes_;  ///< of each entry, of the window it begins
  std::vector<std::size_t> lines_;             ///< before each entry
  std::vector<bool> fit_;
  std::vector<Candidate> found_;
};

}  // namespace

std::vector<Recurrence> find_recurrences(std::vector<Piece> const& pieces,
                                         std::vector<bool> const& used) {
  std::vector<Recurrence> result;
  for (auto& candidate : Search(pieces, used).all())
    result.push_back(std::move(candidate.recurrence));
  return result;
}

}  // namespace lbann::compiler
