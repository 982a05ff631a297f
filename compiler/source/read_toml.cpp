// Drives toml++, puts its sorted tables into the order of the text and its columns into bytes.
#include "compiler/source/read_toml.hpp"

#include <toml++/toml.h>

#include <algorithm>

#include "compiler/source/text_checks.hpp"
#include "schemas/diagnostics/catalogue.hpp"

namespace lbann::compiler {

namespace {

constexpr std::size_t deepest_table = 100;

/// Ends the reading after a diagnostic was added.
struct StopToml {};

/// Bytes of lines and columns; toml++ counts both from 1, columns in characters.
class Places {
 public:
  explicit Places(std::string_view text) : text_(text) {
    lines_.push_back(0);
    for (std::size_t i = 0; i < text.size(); ++i)
      if (text[i] == '\n') lines_.push_back(i + 1);
  }

  std::size_t byte(toml::source_position place) const {
    if (place.line == 0 || place.line > lines_.size()) return text_.size();
    auto at = lines_[place.line - 1];
    for (auto column = place.column; column > 1 && at < text_.size() && text_[at] != '\n';
         --column) {
      ++at;
      while (at < text_.size() && (static_cast<unsigned char>(text_[at]) & 0xc0) == 0x80) ++at;
    }
    return at;
  }

 private:
  std::string_view text_;
  std::vector<std::size_t> lines_;
};

class TomlReader {
 public:
  TomlReader(std::string_view text, std::size_t offset, std::uint32_t file, Report& report)
      : text_(text), offset_(offset), file_(file), report_(report), places_(text) {}

  Node root() {
    auto const table = parse();
    auto item = mapping(table, 0);
    item.span = span(0, text_.size());
    return item;
  }

 private:
  Span span(std::size_t begin, std::size_t end) const {
    return {file_, static_cast<std::uint32_t>(offset_ + begin),
            static_cast<std::uint32_t>(offset_ + std::max(begin, end))};
  }
  Span span(toml::source_region const& region) const {
    return span(places_.byte(region.begin), places_.byte(region.end));
  }

  toml::table parse() {
    try {
      return toml::parse(text_);
    } catch (toml::parse_error const& error) {
      auto const at = std::min(places_.byte(error.source().begin), text_.size());
      add_error(std::string(error.description()), at);
      throw StopToml{};
    }
  }

  /// toml++ says what it was doing, then what is wrong; only the latter is of interest.
  void add_error(std::string words, std::size_t at) {
    constexpr std::string_view doing = "Error while parsing ";
    if (words.starts_with(doing))
      if (auto const colon = words.find(": "); colon != std::string::npos)
        words.erase(0, colon + 2);
    auto const here = span(at, std::min(at + 1, text_.size()));
    if (words.find("redefine") != std::string::npos) {
      report_.add(diagnostics::duplicate_key, here, {key_at(at)});
      return;
    }
    if (words.find("maximum nested value depth") != std::string::npos) {
      report_.add(diagnostics::too_deep, here, {std::to_string(deepest_table)});
      return;
    }
    report_.add(diagnostics::syntax_error, here, {std::move(words)});
  }

  /// The key of the line that holds a place.
  std::string key_at(std::size_t at) const {
    auto const line = at == 0 ? 0 : text_.rfind('\n', at - 1) + 1;  // npos + 1 is 0
    auto const end = std::min(text_.find_first_of("=\r\n", line), text_.size());
    std::string key(text_.substr(line, end - line));
    std::erase_if(key, [](char c) { return c == ' ' || c == '\t' || c == '[' || c == ']'; });
    return key;
  }

  Node item(toml::node const& node, std::size_t depth) {
    if (depth > deepest_table) {
      report_.add(diagnostics::too_deep, span(node.source()), {std::to_string(deepest_table)});
      throw StopToml{};
    }
    if (auto const* table = node.as_table()) return mapping(*table, depth);
    if (auto const* array = node.as_array()) return sequence(*array, depth);
    return scalar(node);
  }

  Node mapping(toml::table const& table, std::size_t depth) {
    Node mapping;
    mapping.kind = Node::Kind::mapping;
    for (auto const& [key, node] : table)
      mapping.entries.push_back(
          {std::string(key.str()), span(key.source()), item(node, depth + 1)});
    std::stable_sort(
        mapping.entries.begin(), mapping.entries.end(),
        [](Entry const& a, Entry const& b) { return a.key_span.begin < b.key_span.begin; });
    mapping.span = span(table.source());
    // A table that headers make has no place of its own.
    bool const written = mapping.span.end > mapping.span.begin &&
                         text_.substr(mapping.span.begin - offset_, 1) == "{";
    if (!written && !mapping.entries.empty())
      mapping.span = {file_, mapping.entries.front().key_span.begin,
                      mapping.entries.back().value.span.end};
    return mapping;
  }

  Node sequence(toml::array const& array, std::size_t depth) {
    Node sequence;
    sequence.kind = Node::Kind::sequence;
    for (auto const& node : array) sequence.items.push_back(item(node, depth + 1));
    sequence.span = span(array.source());
    bool const written = sequence.span.end > sequence.span.begin &&
                         text_.substr(sequence.span.begin - offset_, 2).substr(0, 1) == "[" &&
                         text_.substr(sequence.span.begin - offset_, 2) != "[[";
    if (!written && !sequence.items.empty())
      sequence.span = {file_, sequence.items.front().span.begin, sequence.items.back().span.end};
    return sequence;
  }

  Node scalar(toml::node const& node) {
    Node scalar;
    scalar.kind = Node::Kind::scalar;
    scalar.span = span(node.source());
    if (auto const* text = node.as_string()) {
      scalar.quoted = true;
      scalar.text = text->get();
    } else if (auto const* whole = node.as_integer()) {
      scalar.text = std::to_string(whole->get());
    } else if (node.is_floating_point()) {
      scalar.text = text_.substr(scalar.span.begin - offset_, scalar.span.end - scalar.span.begin);
      std::erase(scalar.text, '_');
      if (scalar.text.starts_with('+')) scalar.text.erase(0, 1);
    } else if (auto const* truth = node.as_boolean()) {
      scalar.text = truth->get() ? "true" : "false";
    } else {
      report_
          .add(diagnostics::syntax_error, scalar.span,
               {"a date or a time is not a value of the language"})
          .notes.emplace_back("quote it if it is a text");
      throw StopToml{};
    }
    return scalar;
  }

  std::string_view text_;
  std::size_t offset_;  ///< of the text in the file, behind a byte order mark
  std::uint32_t file_;
  Report& report_;
  Places places_;
};

}  // namespace

std::optional<Document> read_toml(Source const& source, std::uint32_t file, Report& report) {
  if (!check_text(source, file, report)) return std::nullopt;
  std::string_view text = source.text;
  std::size_t const offset = text.starts_with("\xef\xbb\xbf") ? 3 : 0;
  Document document;
  document.file = file;
  try {
    document.root = TomlReader(text.substr(offset), offset, file, report).root();
  } catch (StopToml const&) {
    return std::nullopt;
  }
  return document;
}

}  // namespace lbann::compiler
