// Names in quotes stay in quotes; anything but names, numbers and lists of these is YAML.
#include "compiler/diagnostics/formats/edits.hpp"

#include <algorithm>
#include <cctype>
#include <optional>

#include "compiler/source/syntax.hpp"
#include "schemas/vocabulary/nearest.hpp"

namespace lbann::compiler {

namespace {

bool is_name(std::string_view text) {
  auto const in_name = [](char c) {
    return c == '_' || c == '-' || c == '.' || std::isalnum(static_cast<unsigned char>(c)) != 0;
  };
  return !text.empty() && std::isalpha(static_cast<unsigned char>(text[0])) != 0 &&
         std::ranges::all_of(text, in_name);
}

bool is_quoted(std::string_view text) {
  return text.size() > 1 && (text[0] == '"' || text[0] == '\'') && text.back() == text[0];
}

std::string_view without_quotes(std::string_view text) {
  return is_quoted(text) ? text.substr(1, text.size() - 2) : text;
}

bool is_misspelt_name(Diagnostic const& diagnostic, std::string_view written) {
  return diagnostic.info->severity == Severity::error && diagnostic.notes.empty() &&
         is_name(written) && is_misspelt(written, diagnostic.suggestions) &&
         is_name(diagnostic.suggestions[0]);
}

std::optional<std::string> in_notation(std::string const& text, std::string_view written,
                                       Syntax syntax) {
  bool const is_mapping = text.find(": ") != std::string::npos || text.ends_with(':');
  if (syntax != Syntax::yaml && is_mapping) return std::nullopt;
  bool const is_truth = text == "true" || text == "false";
  if (is_quoted(written) && is_name(text) && !is_truth) return written[0] + text + written[0];
  return text;
}

}  // namespace

std::vector<LocatedEdit> located_edits(Diagnostic const& diagnostic,
                                       std::vector<Source> const& sources) {
  auto const written = [&](Span span) -> std::optional<std::string_view> {
    if (!span.known() || span.file >= sources.size()) return std::nullopt;
    auto const& source = written_source(sources, span.file);
    if (source.name == command_line_name || span.end > source.text.size()) return std::nullopt;
    return std::string_view(source.text).substr(span.begin, span.end - span.begin);
  };
  auto edits = diagnostic.edits;
  if (auto const name = written(diagnostic.span);
      edits.empty() && name && is_misspelt_name(diagnostic, without_quotes(*name)))
    edits = {{diagnostic.span, diagnostic.suggestions[0]}};
  std::vector<LocatedEdit> list;
  for (auto const& edit : edits) {
    auto const old = written(edit.span);
    auto place = place_of(edit.span, sources);
    if (!old || !place || (!list.empty() && list[0].place.file != place->file)) return {};
    auto text = in_notation(edit.text, *old, syntax_of(place->file));
    if (!text) return {};
    list.push_back({std::move(*place), std::move(*text)});
  }
  return list;
}

}  // namespace lbann::compiler
