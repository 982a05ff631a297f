// One module after the other, those that save most lines first, until none saves enough.
#include "compiler/export/modules.hpp"

#include <algorithm>
#include <functional>
#include <map>
#include <set>

#include "compiler/export/nodes.hpp"
#include "compiler/export/recurrences.hpp"
#include "compiler/export/repeats.hpp"
#include "compiler/export/yaml.hpp"

namespace lbann::compiler {

namespace {

constexpr std::size_t least_saved = 8;  ///< that a module must save
constexpr std::size_t most_modules = 20;
constexpr std::size_t most_drafts = 240;  ///< that are looked at for each module,
constexpr std::size_t most_tried = 12;    ///< and written with all else
constexpr std::size_t most_ways = 4;      ///< to begin with

/// A document of modules and layers, with what `repeat` can shorten.
Node document(Node modules, Node layers) {
  auto root = mapping_node(), model = mapping_node();
  if (!modules.entries.empty()) put(root, "modules", std::move(modules));
  put(model, "layers", std::move(layers));
  put(root, "model", std::move(model));
  write_repeats(root);
  return root;
}

/// Of long lists fewer texts are written to find the shortest: at least one.
std::size_t fewer_of(std::size_t most, std::size_t entries) {
  constexpr std::size_t long_list = 2000;
  return entries <= long_list ? most : std::max<std::size_t>(1, most * long_list / (2 * entries));
}

std::size_t printed_lines(Node const& root) {
  return static_cast<std::size_t>(std::ranges::count(to_yaml(root), '\n'));
}

/// What has been written as modules so far.
class Modules {
 public:
  Modules(std::vector<Node> const& entries, std::vector<Piece> const& pieces,
          Declarations const& declarations)
      : entries_(&entries),
        pieces_(&pieces),
        vocabulary_(&declarations),
        used_(entries.size(), false),
        lines_(printed_lines(document({}, layers({}, {})))) {
    for (auto const& piece : pieces) names_.insert(piece.name);
  }

  /// With one module more, those first that make the shortest text.
  std::vector<Modules> with_one_more() const {
    std::vector<Modules> result;
    if (modules_.entries.size() >= most_modules) return result;
    for (auto const& [saved, draft, place] : drafts()) {
      auto modules = modules_;
      put(modules, draft.name, draft.module);
      auto const now = printed_lines(document(std::move(modules), layers(place, draft.calls)));
      if (now + least_saved > lines_) continue;
      result.push_back(*this);
      result.back().take(draft, place, now);
    }
    std::ranges::stable_sort(result, {}, &Modules::lines_);
    return result;
  }

  /// With modules as long as one saves enough.
  Modules completed() const {
    auto modules = *this;
    for (auto next = with_one_more(); !next.empty(); next = modules.with_one_more())
      modules = next.front();
    return modules;
  }

  Node const& modules() const { return modules_; }
  Node layers() const { return layers({}, {}); }
  std::size_t lines() const { return lines_; }

 private:
  struct Tried {
    std::int64_t saved;  ///< lines, if nothing is repeated
    ModuleDraft draft;
    Recurrence place;
  };

  /// The drafts that look best, repeats aside.
  std::vector<Tried> drafts() const {
    std::vector<Tried> result;
    auto const taken = [&](std::string const& name) { return names_.contains(name); };
    auto recurrences = find_recurrences(*pieces_, used_);
    recurrences.resize(std::min(recurrences.size(), most_drafts));
    for (auto const& place : recurrences) {
      auto draft = draft_module(*pieces_, place, *vocabulary_, taken);
      if (!draft) continue;
      auto modules = mapping_node();
      put(modules, draft->name, draft->module);
      auto const with = printed_lines(document(std::move(modules), list_node(draft->calls)));
      std::size_t without = 0;
      for (auto const start : place.starts)
        for (auto i = start; i < start + place.length; ++i) without += (*pieces_)[i].lines;
      auto const saved = static_cast<std::int64_t>(without) - static_cast<std::int64_t>(with);
      result.push_back({saved, std::move(*draft), place});
    }
    std::ranges::stable_sort(result, std::ranges::greater(), &Tried::saved);
    std::set<std::pair<std::size_t, std::size_t>> sizes;  // of one size and number, the best
    std::erase_if(result, [&](Tried const& each) {
      return !sizes.emplace(each.place.length, each.place.starts.size()).second;
    });
    result.resize(std::min(result.size(), fewer_of(most_tried, entries_->size())));
    return result;
  }

  void take(ModuleDraft const& draft, Recurrence const& place, std::size_t lines) {
    lines_ = lines;
    for (std::size_t k = 0; k < place.starts.size(); ++k) {
      calls_[place.starts[k]] = draft.calls[k];
      auto const begin = used_.begin() + static_cast<std::ptrdiff_t>(place.starts[k]);
      std::fill(begin, begin + static_cast<std::ptrdiff_t>(place.length), true);
    }
    names_.insert(draft.name);
    names_.insert(draft.names.begin(), draft.names.end());
    put(modules_, draft.name, draft.module);
  }

  /// The list with calls in their places, those that are tried among them. Entries that stay are
  /// called as before.
  Node layers(Recurrence const& tried, std::vector<Node> const& calls) const {
    auto list = list_node();
    std::map<std::string_view, std::size_t> counts;
    std::size_t next = 0;
    for (std::size_t i = 0; i < entries_->size();) {
      if (next < tried.starts.size() && tried.starts[next] == i) {
        list.items.push_back(calls[next++]);
        i += tried.length;
        continue;
      }
      if (auto const call = calls_.find(i); call != calls_.end())
        list.items.push_back(call->second);
      if (!used_[i]) list.items.push_back(named(i, ++counts[(*pieces_)[i].type]));
      ++i;
    }
    return list;
  }

  Node named(std::size_t i, std::size_t number) const {
    auto entry = (*entries_)[i];
    auto const& piece = (*pieces_)[i];
    if (piece.named || piece.name == piece.type + "_" + std::to_string(number)) return entry;
    auto& body = entry.entries.front().value;
    body.kind = Node::Kind::mapping;
    body.entries.insert(body.entries.begin(), {"name", {}, scalar_node(piece.name, true)});
    return entry;
  }

  std::vector<Node> const* entries_;
  std::vector<Piece> const* pieces_;
  Declarations const* vocabulary_;
  std::vector<bool> used_;             ///< entries that are part of a call
  std::map<std::size_t, Node> calls_;  ///< by the first entry they stand for
  std::set<std::string> names_;
  Node modules_ = mapping_node();
  std::size_t lines_ = 0;  ///< of modules and layers, repeats written as such
};

}  // namespace

void write_modules(Node& root, Declarations const& declarations) {
  for (auto& section : root.entries) {
    if (section.key != "model") continue;
    for (auto& part : section.value.entries) {
      if (part.key != "layers") continue;
      auto const pieces = take_apart(part.value.items, declarations);
      Modules const none(part.value.items, pieces, declarations);
      // What is best first need not be best in the end.
      auto first = none.with_one_more();
      if (first.empty()) return;
      first.resize(std::min(first.size(), fewer_of(most_ways, pieces.size())), none);
      std::vector<Modules> whole;
      for (auto const& each : first) whole.push_back(each.completed());
      auto const best = *std::ranges::min_element(whole, {}, &Modules::lines);
      part.value = best.layers();
      root.entries.insert(root.entries.begin(), {"modules", {}, best.modules()});
      return;
    }
  }
}

}  // namespace lbann::compiler
