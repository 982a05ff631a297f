// Events to items, with ends of spans; duplicate keys, aliases and tags looked after.
#include "compiler/source/tree_builder.hpp"

#include <algorithm>
#include <set>

#include "compiler/source/yaml_spans.hpp"
#include "schemas/diagnostics/catalogue.hpp"

namespace lbann::compiler {

namespace {

constexpr std::size_t deepest = 100;
constexpr std::size_t many_keys = 16;
/// Key of a merge while its mapping is read; no checked text holds the character.
constexpr char merge_mark[] = "\x04";

/// Undoes what `read_yaml` did to `${...}`.
std::string unmasked(std::string text) {
  constexpr std::string_view masks = "\x01\x02\x03\x05\x06\x0e\x0f\x10", plain = "{},[]:# ";
  for (auto& c : text)
    if (auto const at = masks.find(c); at != std::string_view::npos) c = plain[at];
  return text;
}

}  // namespace

Span TreeBuilder::span(std::size_t begin, std::size_t end) const {
  return {file_, static_cast<std::uint32_t>(begin),
          static_cast<std::uint32_t>(std::max(begin, end))};
}

Span TreeBuilder::open_bracket() const {
  for (auto frame = frames_.rbegin(); frame != frames_.rend(); ++frame)
    if (frame->flow) return span(frame->node.span.begin, frame->node.span.begin + 1);
  return {};
}

void TreeBuilder::document(std::size_t at) {
  if (++documents_ == 1) return;
  report_.add(diagnostics::several_documents, span(at, std::min(at + 3, text_.size())));
  throw StopReading{};
}

void TreeBuilder::null(std::size_t place, std::size_t anchor) {
  auto const at = after_properties(text_, place);
  Node node;
  std::size_t least = 0;
  if (!frames_.empty()) {
    auto const& frame = frames_.back();
    least = frame.has_key ? frame.key_span.end : frame.node.span.begin;
  }
  auto const word = text_.substr(at, text_.find_first_of(" \t\r\n,]}#", at) - at);
  bool const between =
      text_.substr(least, at - least).find_first_not_of(": \t") == std::string::npos;
  if (word == "~" || ((word == "null" || word == "Null" || word == "NULL") &&
                      (between || frames_.empty() || frames_.back().flow))) {
    node.span = span(at, at + word.size());
  } else {
    auto const end = without_blanks(text_, least, at);
    node.span =
        frames_.empty() || !frames_.back().has_key ? span(end, end) : frames_.back().key_span;
  }
  auto const end = node.span.end;
  complete(std::move(node), anchor, end);
}

void TreeBuilder::count_copy(Node const& node, Span place, std::string_view who) {
  if (!budget_.take(volume_of(node), place, who, report_)) throw StopReading{};
}

void TreeBuilder::alias(std::size_t at, std::size_t anchor) {
  auto const end = std::min(text_.find_first_of(" \t\r\n,]}", at), text_.size());
  auto const found = anchors_.find(anchor);
  if (found == anchors_.end()) {
    report_.add(diagnostics::recursive_alias, span(at, end));
    throw StopReading{};
  }
  count_copy(found->second, span(at, end), "aliases");
  complete(found->second, 0, end);
}

void TreeBuilder::scalar(std::size_t at, std::string const& tag, std::size_t anchor,
                         std::string const& value) {
  auto const begin = after_properties(text_, at);
  Node node;
  node.kind = Node::Kind::scalar;
  node.quoted =
      begin < text_.size() && std::string_view("\"'|>").find(text_[begin]) != std::string::npos;
  auto const end = scalar_end(text_, begin, value);
  if (end == std::string_view::npos) {
    report_.add(diagnostics::syntax_error, span(begin, begin + 1), {"this quote is not closed"});
    throw StopReading{};
  }
  node.span = span(begin, end);
  bool const masked = text_.substr(begin, end - begin).find("${") != std::string_view::npos;
  node.text = masked ? unmasked(value) : value;
  check_tag(tag, at, node);
  complete(std::move(node), anchor, end);
}

void TreeBuilder::check_tag(std::string const& tag, std::size_t at, Node& node) {
  if (tag == "?" || tag == "!" || tag.empty()) return;
  if (tag == "tag:yaml.org,2002:str") {
    node.quoted = true;
    return;
  }
  if (tag == "tag:yaml.org,2002:map" || tag == "tag:yaml.org,2002:seq") return;
  auto const begin = std::min(text_.find('!', at), text_.size());
  auto const end = std::min(text_.find_first_of(" \t\r\n,", begin), text_.size());
  report_.add(diagnostics::unknown_tag, span(begin, end),
              {std::string(text_.substr(begin, end - begin))});
}

void TreeBuilder::open(Node::Kind kind, std::size_t at, std::string const& tag,
                       std::size_t anchor) {
  auto const begin = after_properties(text_, at);
  if (frames_.size() >= deepest) {
    report_.add(diagnostics::too_deep, span(begin, begin + 1), {std::to_string(deepest)});
    throw StopReading{};
  }
  Frame frame{};
  frame.node.kind = kind;
  frame.node.span = span(begin, begin + 1);
  frame.anchor = anchor;
  frame.flow = begin < text_.size() && text_[begin] == (kind == Node::Kind::mapping ? '{' : '[');
  check_tag(tag, at, frame.node);
  frames_.push_back(std::move(frame));
}

void TreeBuilder::close() {
  auto frame = std::move(frames_.back());
  frames_.pop_back();
  auto& node = frame.node;
  auto const last = std::max<std::size_t>(frame.last, node.span.begin + (frame.flow ? 1 : 0));
  node.span = span(node.span.begin, frame.flow ? flow_end(text_, last) : last);
  if (frame.merges) merge(node);
  auto const end = node.span.end;
  complete(std::move(node), frame.anchor, end);
}

void TreeBuilder::merge(Node& mapping) {
  std::set<std::string, std::less<>> keys;
  for (auto const& entry : mapping.entries) keys.insert(entry.key);
  std::vector<Entry> entries;
  for (auto& entry : mapping.entries) {
    if (entry.key != merge_mark) {
      entries.push_back(std::move(entry));
      continue;
    }
    bool const list = entry.value.kind == Node::Kind::sequence;
    auto const take = [&](Node& from) {
      if (from.kind != Node::Kind::mapping) {
        report_.add(diagnostics::merge_key, from.span.known() ? from.span : entry.key_span);
        return;
      }
      // Of several mappings the first that has a key holds.
      for (auto& merged : from.entries)
        if (keys.insert(merged.key).second) entries.push_back(std::move(merged));
    };
    if (list)
      for (auto& node : entry.value.items) take(node);
    else
      take(entry.value);
  }
  mapping.entries = std::move(entries);
}

void TreeBuilder::complete(Node node, std::size_t anchor, std::size_t end) {
  if (anchor != 0) {
    count_copy(node, node.span, "anchors");
    anchors_[anchor] = node;
  }
  if (frames_.empty()) {
    root_ = std::move(node);
    return;
  }
  auto& frame = frames_.back();
  frame.last = end;
  if (frame.node.kind == Node::Kind::mapping && !frame.has_key) {
    add_key(frame, node);
  } else if (frame.node.kind == Node::Kind::mapping) {
    frame.node.entries.push_back({std::move(frame.key), frame.key_span, std::move(node)});
    frame.has_key = false;
  } else {
    frame.node.items.push_back(std::move(node));
  }
}

void TreeBuilder::add_key(Frame& frame, Node const& node) {
  frame.has_key = true;
  frame.key_span = node.span;
  frame.key = node.text;
  if (node.kind != Node::Kind::scalar) {
    report_.add(diagnostics::key_not_text, node.span);
    frame.key = " " + std::to_string(frame.node.entries.size());
  } else if (node.text == "<<" && !node.quoted) {
    frame.merges = true;
    frame.key = merge_mark;
    check_duplicate(frame, frame.key, frame.key_span);
  } else {
    check_duplicate(frame, frame.key, frame.key_span);
  }
}

void TreeBuilder::check_duplicate(Frame& frame, std::string const& key, Span key_span) {
  auto const& entries = frame.node.entries;
  Span before;
  if (entries.size() < many_keys) {
    for (auto const& entry : entries)
      if (entry.key == key) before = entry.key_span;
  } else {
    if (frame.seen.empty())
      for (auto const& entry : entries) frame.seen.emplace(entry.key, entry.key_span);
    auto const [found, is_new] = frame.seen.emplace(key, key_span);
    if (!is_new) before = found->second;
  }
  if (!before.known()) return;
  report_.add(diagnostics::duplicate_key, key_span, {key == merge_mark ? "<<" : key})
      .labels.push_back({before, "first here"});
}

}  // namespace lbann::compiler
