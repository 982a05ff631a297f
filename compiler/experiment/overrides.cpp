// Walking a path through a document.
#include "compiler/experiment/overrides.hpp"

#include <charconv>
#include <map>

#include "compiler/diagnostics/render.hpp"
#include "compiler/source/read_yaml.hpp"
#include "schemas/diagnostics/catalogue.hpp"

namespace lbann::compiler {

namespace {

struct Segment {
  std::string text;
  Span span;
};

/// One argument on its way.
class Override {
 public:
  Override(std::string path, std::vector<Segment> segments, Item value, Report& report)
      : path_(std::move(path)),
        segments_(std::move(segments)),
        value_(std::move(value)),
        report_(report) {}

  void put(Item& root) {
    auto* item = &root;
    for (std::size_t i = 0; i < segments_.size() && item != nullptr; ++i) item = step(*item, i);
    if (item == nullptr) return;
    *item = std::move(value_);
  }

 private:
  Item* fail(std::size_t at, std::string words, std::vector<std::string> suggestions = {}) {
    report_.add(diagnostics::set_path, segments_[at].span, {path_, std::move(words)}).suggestions =
        std::move(suggestions);
    return nullptr;
  }

  Item* step(Item& item, std::size_t at) {
    if (item.kind == Item::Kind::null) {
      item.kind = Item::Kind::mapping;
      item.span = segments_[at].span;
    }
    if (item.kind == Item::Kind::mapping) return into_mapping(item, at);
    if (item.kind == Item::Kind::sequence) return into_list(item, at);
    auto const before = at > 0 ? segments_[at - 1].text : std::string("the experiment");
    return fail(at, "`" + before + "` is a single value");
  }

  Item* into_mapping(Item& item, std::size_t at) {
    auto const& segment = segments_[at];
    std::vector<std::string_view> keys;
    for (auto& entry : item.entries) {
      if (entry.key == segment.text) return &entry.value;
      keys.push_back(entry.key);
    }
    if (segments_[0].text == "variables")
      return fail(at, "there is no variable `" + segment.text + "`", nearest(segment.text, keys));
    item.entries.push_back({segment.text, segment.span, {}});
    return &item.entries.back().value;
  }

  Item* into_list(Item& list, std::size_t at) {
    auto const& name = segments_[at].text;
    std::size_t index = 0;
    auto const [end, error] = std::from_chars(name.data(), name.data() + name.size(), index);
    if (error == std::errc{} && end == name.data() + name.size()) {
      if (index < list.items.size()) return body_of(list.items[index]);
      return fail(at,
                  "the list has " + std::to_string(list.items.size()) + " entries, counted from 0");
    }
    std::map<std::string, int> counts;
    std::vector<std::pair<std::string, Item*>> exact, loose;
    for (auto& item : list.items) {
      if (item.kind != Item::Kind::mapping || item.entries.empty()) continue;
      auto* body = body_of(item);
      if (body != &item) {
        auto const& type = item.entries.front().key;
        exact.emplace_back(type + "_" + std::to_string(++counts[type]), body);
        loose.emplace_back(type, body);
      }
      for (auto const* key : {"name", "role"}) {
        auto const* entry = body->find(key);
        if (entry == nullptr || entry->value.kind != Item::Kind::scalar) continue;
        (std::string_view(key) == "name" ? exact : loose).emplace_back(entry->value.text, body);
      }
    }
    for (auto const& [known, body] : exact)
      if (known == name) return body;
    Item* found = nullptr;
    int matches = 0;
    for (auto const& [known, body] : loose)
      if (known == name) found = body, ++matches;
    if (matches == 1) return found;
    if (matches > 1) return fail(at, "several entries are called `" + name + "`");
    std::vector<std::string_view> names;
    for (auto const& [known, body] : exact) names.push_back(known);
    for (auto const& [known, body] : loose) names.push_back(known);
    return fail(at, "no entry of the list is called `" + name + "`", nearest(name, names));
  }

  /// The fields of a single-key entry; any other item itself.
  static Item* body_of(Item& item) {
    if (item.kind != Item::Kind::mapping || item.entries.size() != 1) return &item;
    auto& value = item.entries.front().value;
    bool const fields = value.kind == Item::Kind::mapping || value.kind == Item::Kind::null;
    return fields ? &value : &item;
  }

  std::string path_;
  std::vector<Segment> segments_;
  Item value_;
  Report& report_;
};

}  // namespace

void apply_overrides(Document& document, std::vector<std::string> const& arguments,
                     std::vector<Source>& sources, Report& report) {
  constexpr std::string_view option = "--set ";
  for (auto const& argument : arguments) {
    auto const file = static_cast<std::uint32_t>(sources.size());
    sources.push_back({std::string(command_line_name), std::string(option) + argument});
    auto const span = [&](std::size_t begin, std::size_t end) {
      return Span{file, static_cast<std::uint32_t>(option.size() + begin),
                  static_cast<std::uint32_t>(option.size() + end)};
    };
    auto const equals = argument.find('=');
    if (equals == std::string::npos || equals == 0) {
      report.add(diagnostics::set_syntax, span(0, argument.size()), {argument});
      continue;
    }
    std::vector<Segment> segments;
    bool good = true;
    for (std::size_t begin = 0; begin <= equals;) {
      auto const end = std::min(argument.find('.', begin), equals);
      segments.push_back({argument.substr(begin, end - begin), span(begin, end)});
      good = good && begin < end;
      begin = end + 1;
    }
    if (!good) {
      report.add(diagnostics::set_syntax, span(0, equals), {argument});
      continue;
    }
    // Blanks in the place of what stands before the value keep its spans true.
    auto const prefix = option.size() + equals + 1;
    Source const text{sources.back().name, std::string(prefix, ' ') + argument.substr(equals + 1)};
    auto value = read_yaml(text, file, report);
    if (!value) continue;
    auto path = argument.substr(0, equals);
    Override(std::move(path), std::move(segments), std::move(value->root), report)
        .put(document.root);
  }
}

}  // namespace lbann::compiler
