// Drives yaml-cpp and words its errors.
#include "compiler/source/read_yaml.hpp"

#include <yaml-cpp/depthguard.h>
#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/exceptions.h>
#include <yaml-cpp/parser.h>

#include <algorithm>
#include <sstream>

#include "compiler/source/text_checks.hpp"
#include "compiler/source/tree_builder.hpp"
#include "schemas/diagnostics/catalogue.hpp"

namespace lbann::compiler {

namespace {

constexpr std::string_view byte_order_mark = "\xef\xbb\xbf";

/// Hands the parser's events on; its marks count bytes from `offset`, after a byte order mark.
class Events final : public YAML::EventHandler {
 public:
  Events(TreeBuilder& builder, std::size_t offset, std::size_t size)
      : builder_(builder), offset_(offset), size_(size) {}

  void OnDocumentStart(YAML::Mark const& mark) override { builder_.document(place(mark)); }
  void OnDocumentEnd() override {}
  void OnNull(YAML::Mark const& mark, YAML::anchor_t anchor) override {
    builder_.null(place(mark), anchor);
  }
  void OnAlias(YAML::Mark const& mark, YAML::anchor_t anchor) override {
    builder_.alias(place(mark), anchor);
  }
  void OnScalar(YAML::Mark const& mark, std::string const& tag, YAML::anchor_t anchor,
                std::string const& value) override {
    builder_.scalar(place(mark), tag, anchor, value);
  }
  void OnSequenceStart(YAML::Mark const& mark, std::string const& tag, YAML::anchor_t anchor,
                       YAML::EmitterStyle::value) override {
    builder_.open(Node::Kind::sequence, place(mark), tag, anchor);
  }
  void OnSequenceEnd() override { builder_.close(); }
  void OnMapStart(YAML::Mark const& mark, std::string const& tag, YAML::anchor_t anchor,
                  YAML::EmitterStyle::value) override {
    builder_.open(Node::Kind::mapping, place(mark), tag, anchor);
  }
  void OnMapEnd() override { builder_.close(); }

 private:
  std::size_t place(YAML::Mark const& mark) const {
    return std::min(offset_ + static_cast<std::size_t>(std::max(mark.pos, 0)), size_);
  }

  TreeBuilder& builder_;
  std::size_t offset_, size_;
};

/// `${...}` would end a plain scalar between braces: its characters that mean something to YAML
/// are replaced by control characters, which no checked text holds, one byte for one.
std::string masked(std::string_view text) {
  constexpr std::string_view masks = "\x01\x02\x03\x05\x06\x0e\x0f\x10", plain = "{},[]:# ";
  std::string result(text);
  for (auto at = text.find("${"); at != std::string_view::npos; at = text.find("${", at + 2)) {
    auto const end = text.find_first_of("{}\"'\\\r\n", at + 2);
    if (end == std::string_view::npos || text[end] != '}') continue;
    for (auto i = at + 1; i <= end; ++i)
      if (auto const which = plain.find(text[i]); which != std::string_view::npos)
        result[i] = masks[which];
  }
  return result;
}

struct Words {
  std::string_view theirs, ours, note;
};
constexpr Words words[] = {
    {"illegal map value", "a `: ` cannot stand here",
     "keys of one mapping are indented alike; a text that holds `: ` must be quoted"},
    {"illegal map key", "a key cannot stand here", ""},
    {"illegal block entry", "a `- ` cannot stand here",
     "entries of one list are indented alike, and deeper than the key before them"},
    {"end of map not found", "this line does not continue the mapping before it",
     "keys of one mapping are indented alike"},
    {"end of sequence not found", "this line does not continue the list before it",
     "entries of one list are indented alike and begin with `- `"},
    {"end of map flow not found", "the mapping in braces is not finished here",
     "a `,` or `}` is missing before this place"},
    {"end of sequence flow not found", "the list in brackets is not finished here",
     "a `,` or `]` is missing before this place"},
    {"illegal flow end", "this bracket was never opened", ""},
    {"unknown token", "this character cannot begin a value", "quote the text"},
    {"illegal character in scalar", "this text must be quoted", ""},
    {"the referenced anchor is not defined", "there is no anchor of this name before", ""},
    {"illegal EOF in scalar", "the quoted text is not closed", ""},
    {"illegal document indicator in scalar", "the quoted text is not closed", ""},
};

/// The first line before `limit` whose indentation holds a tab.
std::size_t tab_in_indentation(std::string_view text, std::size_t limit) {
  for (std::size_t line = 0; line < text.size() && line <= limit;) {
    auto const end = std::min(text.find('\n', line), text.size());
    auto const content = std::min(text.find_first_not_of(" \t\r", line), end);
    auto const tab = text.find('\t', line);
    if (tab < content && content < end && text[content] != '#') return tab;
    line = end + 1;
  }
  return std::string_view::npos;
}

void add_syntax_error(YAML::Exception const& problem, Source const& source, std::size_t offset,
                      std::uint32_t file, TreeBuilder const& builder, Report& report) {
  auto const& text = source.text;
  auto const pos = static_cast<std::size_t>(std::max(problem.mark.pos, 0));
  auto const at = problem.mark.is_null() ? text.size() : std::min(offset + pos, text.size());
  auto const span = [&](std::size_t begin) {
    return Span{file, static_cast<std::uint32_t>(begin),
                static_cast<std::uint32_t>(std::min(begin + 1, text.size()))};
  };
  auto const line_end = std::min(text.find('\n', at), text.size());
  if (auto const tab = tab_in_indentation(text, line_end); tab != std::string_view::npos) {
    report.add(diagnostics::tab_indentation, span(tab));
    return;
  }
  auto const* found = std::find_if(std::begin(words), std::end(words),
                                   [&](Words const& w) { return w.theirs == problem.msg; });
  bool const known = found != std::end(words);
  auto& diagnostic = report.add(diagnostics::syntax_error, span(at),
                                {known ? std::string(found->ours) : problem.msg});
  if (known && !found->note.empty()) diagnostic.notes.emplace_back(found->note);
  if (auto const bracket = builder.open_bracket(); bracket.known())
    diagnostic.labels.push_back({bracket, "opened here"});
}

}  // namespace

std::optional<Document> read_yaml(Source const& source, std::uint32_t file, Budget& budget,
                                  Report& report) {
  if (!check_text(source, file, report)) return std::nullopt;
  auto const before = report.diagnostics().size();
  std::string_view text = source.text;
  std::size_t const offset = text.starts_with(byte_order_mark) ? byte_order_mark.size() : 0;
  TreeBuilder builder(text, file, budget, report);
  Events events(builder, offset, text.size());
  std::istringstream stream(masked(text.substr(offset)));
  try {
    YAML::Parser parser(stream);
    while (parser.HandleNextDocument(events)) {
    }
  } catch (StopReading const&) {
  } catch (YAML::DeepRecursion const& problem) {
    auto const at = static_cast<std::uint32_t>(offset + std::max(problem.mark.pos, 0));
    report.add(diagnostics::too_deep, {file, at, at + 1}, {"500"});
  } catch (YAML::Exception const& problem) {
    add_syntax_error(problem, source, offset, file, builder, report);
  }
  if (report.diagnostics().size() != before) return std::nullopt;
  Document document;
  document.file = file;
  document.root = builder.take_root();
  return document;
}

}  // namespace lbann::compiler
