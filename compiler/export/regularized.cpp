// Names that end with the same word are a pattern, if no others do.
#include "compiler/export/regularized.hpp"

#include <algorithm>
#include <set>

#include "compiler/export/nodes.hpp"
#include "schemas/vocabulary/field.hpp"

namespace lbann::compiler {

namespace {

using Names = std::vector<std::string>;

Names names_in_list(Node const& node) {
  if (node.kind == Node::Kind::scalar) return {node.text};
  Names names;
  for (auto const& name : node.items) names.push_back(name.text);
  return names;
}

/// Whether the names stand in the list in this order.
bool in_order(Names const& names, Names const& list) {
  auto at = list.begin();
  for (auto const& name : names) {
    at = std::find(at, list.end(), name);
    if (at == list.end()) return false;
    ++at;
  }
  return true;
}

/// The names, those left out that the pattern of an ending stands for.
Names with_patterns(Names const& names, Names const& trained) {
  std::set<std::string> const given(names.begin(), names.end());
  std::set<std::string> written;
  Names result;
  for (auto const& name : names) {
    auto const ending = name.substr(std::min(name.rfind('_'), name.size()));
    bool const exact = std::ranges::all_of(trained, [&](std::string const& each) {
      return !each.ends_with(ending) || given.contains(each);
    });
    auto const shown = ending.empty() || !exact ? name : "*" + ending;
    if (written.insert(shown).second) result.push_back(shown);
  }
  return result;
}

void shorten_names(Node& weights, Names const& trained) {
  constexpr std::size_t fewest_names = 4;
  auto const names = names_in_list(weights);
  if (names.size() < fewest_names || !in_order(names, trained)) return;
  auto const shown = with_patterns(names, trained);
  if (shown.size() * 2 > names.size()) return;
  auto list = list_node();
  for (auto const& name : shown) list.items.push_back(scalar_node(name, true));
  weights = shortened(std::move(list));
}

}  // namespace

void shorten_regularizations(Node& root, std::vector<std::string> const& trained) {
  for (auto& section : root.entries)
    for (auto& part : section.value.entries) {
      if (section.key != "model" || part.key != "objective_function") continue;
      for (auto& term : part.value.items) {
        auto& body = term.entries.front().value;
        auto const weights = std::ranges::find(body.entries, "weights", &Entry::key);
        if (weights == body.entries.end()) continue;
        if (names_in_list(weights->value) == trained)
          body.entries.erase(weights);
        else
          shorten_names(weights->value, trained);
      }
    }
}

}  // namespace lbann::compiler
