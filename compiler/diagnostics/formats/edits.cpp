// Names in quotes stay in quotes; what has keys is written as the file does.
#include "compiler/diagnostics/formats/edits.hpp"

#include <algorithm>
#include <cctype>
#include <optional>

#include "compiler/diagnostics/notation.hpp"
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

constexpr std::string_view yaml_item = "- ", toml_item = "{";

/// Fields in place of a value, or put before others between braces or on lines of their own; or an
/// entry of a list before the name of the next one's type.
std::optional<std::string> fields_in_notation(std::string_view text, bool is_value, Syntax syntax) {
  if (syntax == Syntax::yaml) return std::string(text);
  if (is_messages(syntax)) return std::nullopt;
  if (auto const line = text.find('\n'); line != text.npos && line + 1 < text.size()) {
    auto const next = text.substr(line + 1);
    auto const entry = fragment_in(syntax, text.substr(0, line));
    if (!entry || !next.starts_with(yaml_item)) return std::nullopt;
    return *entry + "},\n" + std::string(toml_item) + std::string(next.substr(yaml_item.size()));
  }
  std::string_view const end = text.ends_with(", ") ? ", " : text.ends_with('\n') ? "\n" : "";
  text.remove_suffix(end.size());
  auto fields = fragment_in(syntax, text);
  if (!fields) return std::nullopt;
  if (is_value && !fields->starts_with('{')) return "{" + *fields + "}";
  return *fields + std::string(end);
}

std::optional<std::string> in_notation(std::string const& text, std::string_view written,
                                       Syntax syntax) {
  bool const is_mapping = text.find(": ") != std::string::npos || text.ends_with(':');
  if (is_mapping) return fields_in_notation(text, !written.empty(), syntax);
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
  // Elsewhere the indentation of what stands beside it would have to be known.
  auto const between_braces = [&](Span span) {
    std::string_view const before =
        std::string_view(written_source(sources, span.file).text).substr(0, span.begin);
    auto const last = before.find_last_not_of(" \n");
    return last != before.npos && (before[last] == '{' || before[last] == ',');
  };
  // How a line begins before one where nothing but `opener` stands before `span`, the dash or brace
  // of an entry of a list: end of a line, indentation. Nothing elsewhere.
  auto const line_before = [&](Span span, std::string_view opener) -> std::optional<std::string> {
    std::string_view const before =
        std::string_view(written_source(sources, span.file).text).substr(0, span.begin);
    auto const line = before.substr(before.rfind('\n') + 1);
    auto const indentation = std::min(line.find_first_not_of(' '), line.size());
    if (line.substr(indentation) != opener) return std::nullopt;
    auto const ends_so = before.substr(0, before.size() - line.size()).ends_with("\r\n");
    return (ends_so ? "\r\n" : "\n") + std::string(line.substr(0, indentation));
  };
  auto edits = diagnostic.edits;
  if (auto const name = written(diagnostic.span);
      edits.empty() && name && is_misspelt_name(diagnostic, without_quotes(*name)))
    edits = {{diagnostic.span, diagnostic.suggestions[0]}};
  std::vector<LocatedEdit> list;
  for (auto const& edit : edits) {
    auto const old = written(edit.span);
    auto place = place_of(edit.span, sources);
    if (old && old->empty() && !edit.text.ends_with('\n') && !between_braces(edit.span)) return {};
    if (!old || !place || (!list.empty() && list[0].place.file != place->file)) return {};
    auto text = in_notation(edit.text, *old, diagnostic.syntax);
    if (!text) return {};
    if (auto const line = text->find('\n'); line != text->npos) {
      auto const next = std::string_view(*text).substr(line + 1);
      auto const begin = line_before(edit.span, next.starts_with(yaml_item)   ? yaml_item
                                                : next.starts_with(toml_item) ? toml_item
                                                                              : "");
      if (!begin) return {};
      text->replace(line, 1, *begin);
    }
    list.push_back({std::move(*place), std::move(*text)});
  }
  return list;
}

}  // namespace lbann::compiler
