// Entries as patterns with numbers; the longest runs of equal patterns become rounds.
#include "compiler/export/repeats.hpp"

#include <algorithm>
#include <set>
#include <unordered_map>

#include "compiler/export/numbered_text.hpp"

namespace lbann::compiler {

namespace {

constexpr std::size_t fewest_saved = 3;     ///< entries that a `repeat` must save,
constexpr std::size_t fewest_in_two = 6;    ///< or, with two rounds, this many
constexpr std::size_t longest_round = 300;  ///< entries

/// An entry: everything but the numbers, and these.
struct Pattern {
  std::string text;
  std::vector<std::int64_t> numbers;

  void add(Node const& node) {
    text += static_cast<char>('0' + static_cast<int>(node.kind));
    if (node.kind == Node::Kind::scalar && node.quoted) {
      auto const parts = take_apart(node.text);
      for (auto const& rest : parts.rests) text += rest + '\1';
      numbers.insert(numbers.end(), parts.numbers.begin(), parts.numbers.end());
    } else {
      text += node.text;
    }
    text += node.quoted ? '\2' : '\3';
    for (auto const& child : node.items) add(child);
    for (auto const& entry : node.entries) {
      text += entry.key + '\4';
      add(entry.value);
    }
    text += '\5';
  }
};

/// An entry of the first round with the numbers of all rounds.
void put_index(Node& node, std::vector<std::int64_t> const& first,
               std::vector<std::int64_t> const& second, std::size_t& used) {
  if (node.kind == Node::Kind::scalar && node.quoted) {
    auto const parts = take_apart(node.text);
    node.text = parts.rests.front();
    for (std::size_t k = 0; k < parts.numbers.size(); ++k, ++used)
      node.text += growing(parts.numbers[k], second[used] - first[used], "i") + parts.rests[k + 1];
  }
  for (auto& child : node.items) put_index(child, first, second, used);
  for (auto& entry : node.entries) put_index(entry.value, first, second, used);
}

class Repeats {
 public:
  explicit Repeats(std::vector<Node> const& entries) {
    std::unordered_map<std::string, std::size_t> known;
    for (auto const& entry : entries) {
      Pattern pattern;
      pattern.add(entry);
      kinds_.push_back(known.emplace(std::move(pattern.text), known.size()).first->second);
      numbers_.push_back(std::move(pattern.numbers));
    }
  }

  std::vector<Node> written(std::vector<Node> entries) const {
    std::vector<Node> result;
    for (std::size_t at = 0; at < entries.size();) {
      auto const [length, rounds] = best_at(at);
      if (rounds > 1 && begins_round(at, {length, rounds})) {
        result.push_back(repeat(entries, at, length, rounds));
        at += length * rounds;
      } else {
        result.push_back(std::move(entries[at++]));
      }
    }
    return result;
  }

 private:
  struct Run {
    std::size_t length = 1, rounds = 1;
    std::size_t saved() const { return length * (rounds - 1); }
    bool worthwhile() const { return saved() >= (rounds == 2 ? fewest_in_two : fewest_saved); }
  };

  /// The run from `at` that saves most, the shortest round of these.
  Run best_at(std::size_t at) const {
    Run best;
    auto const left = kinds_.size() - at;
    for (std::size_t length = 1; length <= std::min(left / 2, longest_round); ++length) {
      Run const run{length, rounds(at, length)};
      if (run.worthwhile() && run.saved() > best.saved()) best = run;
    }
    return best;
  }

  /// Whether no later start of as many rounds gathers the numbers of a round better: `block1_conv`,
  /// `block1_relu` rather than `block0_relu`, `block1_conv`.
  bool begins_round(std::size_t at, Run const& run) const {
    auto const here = different_starts(at, run.length);
    for (std::size_t later = at + 1; later < at + run.length; ++later)
      if (later + run.length * run.rounds <= kinds_.size() &&
          rounds(later, run.length) >= run.rounds && different_starts(later, run.length) < here)
        return false;
    return true;
  }

  /// How many numbers the entries of a round begin with.
  std::size_t different_starts(std::size_t at, std::size_t length) const {
    std::set<std::int64_t> starts;
    for (auto k = at; k < at + length; ++k) {
      auto const& first = numbers_[k];
      auto const grows = std::mismatch(first.begin(), first.end(), numbers_[k + length].begin());
      if (grows.first != first.end()) starts.insert(*grows.first);
    }
    return starts.size();
  }

  std::size_t rounds(std::size_t at, std::size_t length) const {
    std::size_t count = 1;
    while (at + (count + 1) * length <= kinds_.size() && next_round_fits(at, length, count))
      ++count;
    return count;
  }

  bool next_round_fits(std::size_t at, std::size_t length, std::size_t count) const {
    for (std::size_t k = at; k < at + length; ++k) {
      auto const next = k + count * length;
      if (kinds_[next] != kinds_[k]) return false;
      for (std::size_t n = 0; n < numbers_[k].size(); ++n) {
        auto const step = numbers_[k + length][n] - numbers_[k][n];
        if (numbers_[next][n] != numbers_[k][n] + static_cast<std::int64_t>(count) * step)
          return false;
      }
    }
    return true;
  }

  Node repeat(std::vector<Node>& entries, std::size_t at, std::size_t length,
              std::size_t rounds) const {
    Node body, times, index, list;
    list.kind = Node::Kind::sequence;
    for (auto k = at; k < at + length; ++k) {
      std::size_t used = 0;
      put_index(entries[k], numbers_[k], numbers_[k + length], used);
      list.items.push_back(std::move(entries[k]));
    }
    times.kind = index.kind = Node::Kind::scalar;
    times.text = std::to_string(rounds);
    index.text = "i";
    index.quoted = true;
    body.kind = Node::Kind::mapping;
    body.entries.push_back({"times", {}, std::move(times)});
    body.entries.push_back({"index", {}, std::move(index)});
    body.entries.push_back({"entries", {}, std::move(list)});
    Node entry;
    entry.kind = Node::Kind::mapping;
    entry.entries.push_back({"repeat", {}, std::move(body)});
    return entry;
  }

  std::vector<std::size_t> kinds_;                  ///< equal where patterns are
  std::vector<std::vector<std::int64_t>> numbers_;  ///< of each entry
};

}  // namespace

void write_repeats(Node& root) {
  for (auto& section : root.entries) {
    if (section.key != "model") continue;
    for (auto& part : section.value.entries)
      if (part.value.kind == Node::Kind::sequence)
        part.value.items = Repeats(part.value.items).written(std::move(part.value.items));
  }
}

}  // namespace lbann::compiler
