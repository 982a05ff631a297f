// A period first, then runs of equal numbers, then pairs of runs that grow and shrink evenly.
#include "compiler/export/long_lists.hpp"

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <optional>

#include "compiler/export/nodes.hpp"
#include "compiler/export/numbered_text.hpp"

namespace lbann::compiler {

namespace {

constexpr std::size_t shortest_list = 32;
constexpr std::size_t longest_list = 200'000;  ///< what may be written out is limited
constexpr std::size_t shortest_run = 8;

/// Equal numbers one after the other.
struct EqualRun {
  std::string number;
  std::int64_t count;
};

Node repeat_node(std::string times, std::vector<Node> entries, bool indexed = false) {
  auto body = mapping_node();
  put(body, "times", scalar_node(times, times.front() == '$'));
  if (indexed) put(body, "index", scalar_node("i", true));
  put(body, "entries", list_node(std::move(entries)));
  return single_key("repeat", std::move(body));
}

/// The whole number of a text such as `3` or `3.0`.
std::optional<std::int64_t> whole_number(std::string_view text) {
  if (text.ends_with(".0")) text.remove_suffix(2);
  std::int64_t number = 0;
  auto const [end, failure] = std::from_chars(text.data(), text.data() + text.size(), number);
  constexpr std::int64_t most = std::int64_t{1} << 52;
  if (failure != std::errc{} || end != text.data() + text.size() || std::abs(number) > most)
    return std::nullopt;
  return number;
}

/// Numbers that grow evenly, as one `repeat`.
std::optional<Node> ramp(std::vector<Node> const& numbers) {
  auto const first = whole_number(numbers[0].text), second = whole_number(numbers[1].text);
  if (!first || !second || numbers[0].text.starts_with("-0")) return std::nullopt;
  auto const step = *second - *first;
  if (step == 0) return std::nullopt;
  for (std::size_t i = 0; i < numbers.size(); ++i)
    if (whole_number(numbers[i].text) != *first + static_cast<std::int64_t>(i) * step)
      return std::nullopt;
  return repeat_node(std::to_string(numbers.size()),
                     {scalar_node(growing(*first, step, "i"), true)}, true);
}

std::vector<EqualRun> runs_of(std::vector<Node> const& numbers) {
  std::vector<EqualRun> runs;
  for (auto const& number : numbers)
    if (!runs.empty() && runs.back().number == number.text)
      ++runs.back().count;
    else
      runs.push_back({number.text, 1});
  return runs;
}

Node run_node(EqualRun const& run) {
  return repeat_node(std::to_string(run.count), {scalar_node(run.number, false)});
}

/// How many pairs of runs from `at` have the numbers of the first, and counts that grow evenly.
std::size_t even_pairs(std::vector<EqualRun> const& runs, std::size_t at) {
  std::size_t pairs = 1;
  for (auto next = at + 2; next + 2 <= runs.size(); next += 2, ++pairs)
    for (std::size_t k = 0; k < 2; ++k) {
      if (runs[next + k].number != runs[at + k].number) return pairs;
      auto const step = runs[at + 2 + k].count - runs[at + k].count;
      if (runs[next + k].count != runs[next + k - 2].count + step) return pairs;
    }
  return pairs;
}

/// Entries that write out the runs: pairs that change evenly, long runs, single numbers.
std::vector<Node> entries_of(std::vector<EqualRun> const& runs) {
  constexpr std::size_t fewest_pairs = 4;
  std::vector<Node> entries;
  for (std::size_t at = 0; at < runs.size();) {
    auto const pairs = at + 2 <= runs.size() ? even_pairs(runs, at) : 0;
    if (pairs >= fewest_pairs) {
      std::vector<Node> pair;
      for (auto k = at; k < at + 2; ++k) {
        auto const step = runs[k + 2].count - runs[k].count;
        auto const number = scalar_node(runs[k].number, false);
        pair.push_back(step == 0 && runs[k].count == 1
                           ? number
                           : repeat_node(growing(runs[k].count, step, "i"), {number}));
      }
      entries.push_back(repeat_node(std::to_string(pairs), std::move(pair), true));
      at += 2 * pairs;
      continue;
    }
    auto const& run = runs[at++];
    if (run.count >= static_cast<std::int64_t>(shortest_run))
      entries.push_back(run_node(run));
    else
      for (std::int64_t i = 0; i < run.count; ++i)
        entries.push_back(scalar_node(run.number, false));
  }
  return entries;
}

/// The least number of leading entries that the list consists of, again and again.
std::size_t period(std::vector<Node> const& numbers) {
  std::vector<std::size_t> border(numbers.size(), 0);  // of each beginning, its longest
  for (std::size_t i = 1, length = 0; i < numbers.size(); ++i) {
    while (length > 0 && numbers[i].text != numbers[length].text) length = border[length - 1];
    if (numbers[i].text == numbers[length].text) ++length;
    border[i] = length;
  }
  auto const least = numbers.size() - border.back();
  return numbers.size() % least == 0 ? least : numbers.size();
}

std::vector<Node> shortened_list(std::vector<Node> const& numbers) {
  if (auto counted = ramp(numbers)) return {std::move(*counted)};
  auto const block = period(numbers);
  auto const times = numbers.size() / block;
  if (block == 1) return {run_node({numbers.front().text, static_cast<std::int64_t>(times)})};
  std::vector<Node> const first(numbers.begin(),
                                numbers.begin() + static_cast<std::ptrdiff_t>(block));
  auto entries = block >= shortest_run ? entries_of(runs_of(first)) : first;
  if (times == 1) return entries;
  return {repeat_node(std::to_string(times), std::move(entries))};
}

bool plain_number(Node const& node) { return node.kind == Node::Kind::scalar && !node.quoted; }

}  // namespace

void shorten_long_lists(Node& root) {
  for (auto& entry : root.entries) shorten_long_lists(entry.value);
  if (root.items.size() < shortest_list || root.items.size() > longest_list ||
      !std::ranges::all_of(root.items, plain_number)) {
    for (auto& node : root.items) shorten_long_lists(node);
    return;
  }
  auto entries = shortened_list(root.items);
  // Numbers and rules in turn are no easier to read than numbers.
  if (entries.size() * 4 <= root.items.size()) root.items = std::move(entries);
}

}  // namespace lbann::compiler
