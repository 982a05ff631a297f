// Walking a path through a document.
#include "compiler/experiment/expanding/overrides.hpp"

#include <algorithm>
#include <charconv>
#include <map>
#include <optional>

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
  Override(std::string path, std::vector<Segment> segments, Node value, Report& report)
      : path_(std::move(path)),
        segments_(std::move(segments)),
        value_(std::move(value)),
        report_(report) {}

  void put(Node& root) {
    auto* node = &root;
    for (std::size_t i = 0; i < segments_.size() && node != nullptr; ++i) node = step(*node, i);
    if (node == nullptr) return;
    *node = std::move(value_);
  }

 private:
  Node* fail(std::size_t at, std::string words, std::vector<std::string> suggestions = {}) {
    report_.add(diagnostics::set_path, segments_[at].span, {path_, std::move(words)}).suggestions =
        std::move(suggestions);
    return nullptr;
  }

  Node* step(Node& node, std::size_t at) {
    if (node.kind == Node::Kind::null) {
      node.kind = Node::Kind::mapping;
      node.span = segments_[at].span;
    }
    if (node.kind == Node::Kind::mapping) return into_mapping(node, at);
    if (node.kind == Node::Kind::sequence) return into_list(node, at);
    auto const before = at > 0 ? segments_[at - 1].text : std::string("the experiment");
    return fail(at, "`" + before + "` is a single value");
  }

  Node* into_mapping(Node& node, std::size_t at) {
    auto const& segment = segments_[at];
    std::vector<std::string_view> keys;
    for (auto& entry : node.entries) {
      if (entry.key == segment.text) return &entry.value;
      keys.push_back(entry.key);
    }
    if (segments_[0].text == "variables")
      return fail(at, "there is no variable `" + segment.text + "`", nearest(segment.text, keys));
    node.entries.push_back({segment.text, segment.span, {}});
    return &node.entries.back().value;
  }

  /// What can be meant by an entry of a list, and its fields.
  struct Named {
    std::string name;
    Node* body;
  };

  Node* into_list(Node& list, std::size_t at) {
    auto const& text = segments_[at].text;
    auto const bracket = text.ends_with(']') ? text.find('[') : std::string::npos;
    auto const name = text.substr(0, bracket);
    if (auto const index = number_in(name); index && bracket == std::string::npos) {
      if (list.kind == Node::Kind::numbers) list = as_sequence(std::move(list));
      if (*index < list.items.size()) return body_of(list.items[*index]);
      return fail(at,
                  "the list has " + std::to_string(list.items.size()) + " entries, counted from 0");
    }
    std::map<std::string, int> counts;
    std::vector<Named> exact, loose;
    for (auto& node : list.items) {
      if (node.kind != Node::Kind::mapping || node.entries.empty()) continue;
      auto* body = body_of(node);
      if (body != &node) {
        auto const& type = node.entries.front().key;
        exact.push_back({type + "_" + std::to_string(++counts[type]), body});
        loose.push_back({type, body});
      }
      if (auto const given = text_of(*body, "name"); !given.empty()) exact.push_back({given, body});
      if (auto const role = text_of(*body, "role"); !role.empty()) loose.push_back({role, body});
    }
    auto const called = [&](std::vector<Named> const& entries) {
      std::vector<Node*> bodies;
      for (auto const& entry : entries)
        if (entry.name == name) bodies.push_back(entry.body);
      return bodies;
    };
    auto found = called(exact);
    bool const is_exact = !found.empty();
    if (!is_exact) found = called(loose);
    if (bracket != std::string::npos && !found.empty())
      return chosen(found, at, name, text.substr(bracket + 1, text.size() - bracket - 2));
    if (is_exact || found.size() == 1) return found.front();
    if (found.size() > 1) return several(found, at, name);
    std::vector<std::string_view> names;
    for (auto const& known : exact) names.push_back(known.name);
    for (auto const& known : loose) names.push_back(known.name);
    return fail(at, "no entry of the list is called `" + name + "`", nearest(name, names));
  }

  /// Of entries with one name that with a role, a name or a number.
  Node* chosen(std::vector<Node*> const& found, std::size_t at, std::string const& name,
               std::string const& wanted) {
    if (auto const index = number_in(wanted); index && *index < found.size()) return found[*index];
    std::vector<Node*> matching;
    for (auto* body : found)
      if (text_of(*body, "role") == wanted || text_of(*body, "name") == wanted)
        matching.push_back(body);
    if (matching.size() == 1) return matching.front();
    return several(found, at, name);
  }

  /// Tells how each of several entries with one name is meant.
  Node* several(std::vector<Node*> const& found, std::size_t at, std::string const& name) {
    constexpr std::size_t most = 10;
    std::map<std::string, int> roles;
    for (auto* body : found) ++roles[text_of(*body, "role")];
    std::vector<std::string> choices;
    std::string words = "entries called `" + name + "` are ";
    for (std::size_t i = 0; i < found.size() && i < most; ++i) {
      auto const role = text_of(*found[i], "role");
      bool const by_role = !role.empty() && roles[role] == 1;
      choices.push_back(name + "[" + (by_role ? role : std::to_string(i)) + "]");
      words += (i == 0 ? "`" : ", `") + choices.back() + "`";
    }
    if (found.size() > most) words += " and " + std::to_string(found.size() - most) + " more";
    if (choices.size() > 3) choices.resize(3);  // as many as are suggested anywhere
    return fail(at, words, choices);
  }

  /// The text of a field of an entry; empty if there is none.
  static std::string text_of(Node const& body, std::string_view key) {
    auto const* entry = body.find(key);
    return entry != nullptr && entry->value.kind == Node::Kind::scalar ? entry->value.text : "";
  }

  static std::optional<std::size_t> number_in(std::string_view text) {
    std::size_t number = 0;
    auto const [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
    return number;
  }

  /// The fields of a single-key entry; any other node itself.
  static Node* body_of(Node& node) {
    if (node.kind != Node::Kind::mapping || node.entries.size() != 1) return &node;
    auto& value = node.entries.front().value;
    bool const fields = value.kind == Node::Kind::mapping || value.kind == Node::Kind::null;
    return fields ? &value : &node;
  }

  std::string path_;
  std::vector<Segment> segments_;
  Node value_;
  Report& report_;
};

/// The dot that ends a segment of a path; one in brackets does not.
std::size_t end_of_segment(std::string_view path, std::size_t begin) {
  int open = 0;
  for (auto i = begin; i < path.size(); ++i) {
    open += path[i] == '[' ? 1 : path[i] == ']' ? -1 : 0;
    if (path[i] == '=' || (path[i] == '.' && open <= 0)) return i;
  }
  return path.size();
}

}  // namespace

void apply_overrides(Document& document, std::vector<std::string> const& arguments,
                     std::vector<Source>& sources, Budget& budget, Report& report) {
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
      auto const end = std::min(end_of_segment(argument, begin), equals);
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
    auto value = read_yaml(text, file, budget, report);
    if (!value) continue;
    // No value at all has no place of its own.
    if (!value->root.span.known()) value->root.span = span(equals, argument.size());
    auto path = argument.substr(0, equals);
    Override(std::move(path), std::move(segments), std::move(value->root), report)
        .put(document.root);
  }
}

}  // namespace lbann::compiler
