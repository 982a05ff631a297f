// Diagnostics as text.
#include "compiler/diagnostics/render.hpp"

#include <algorithm>
#include <set>

#include "compiler/diagnostics/excerpt.hpp"

namespace lbann::compiler {

namespace {

constexpr std::size_t most_shown = 100;

enum class Style { error, warning, label, quiet, strong };

std::string styled(std::string_view text, Style style, bool colour) {
  if (!colour) return std::string(text);
  std::string_view code;
  switch (style) {
    case Style::error:
      code = "1;31";
      break;
    case Style::warning:
      code = "1;35";
      break;
    case Style::label:
      code = "1;34";
      break;
    case Style::quiet:
      code = "34";
      break;
    case Style::strong:
      code = "1";
      break;
  }
  return "\033[" + std::string(code) + "m" + std::string(text) + "\033[0m";
}

bool shown(Span span, std::vector<Source> const& sources) {
  return span.known() && span.file < sources.size();
}

/// `did you mean `a`, `b` or `c`?`
std::string question(std::vector<std::string> const& suggestions) {
  std::string text = "did you mean ";
  for (std::size_t i = 0; i < suggestions.size(); ++i) {
    if (i > 0) text += i + 1 == suggestions.size() ? " or " : ", ";
    text += "`" + suggestions[i] + "`";
  }
  return text + "?";
}

/// The line of a span and the carets below it with `words` at their end.
std::string excerpt_lines(Span span, std::vector<Source> const& sources, char caret,
                          std::string_view words, Style style, bool colour) {
  auto const& source = sources[span.file];
  auto const excerpt = excerpt_of(source.text, span);
  bool const numbered = source.name != command_line_name;
  auto const number = numbered ? std::to_string(excerpt.line) : std::string();
  auto margin = std::string(number.size() < 5 ? 5 - number.size() : 0, ' ') + number + " | ";
  auto const empty = std::string(margin.size() - 3, ' ') + " | ";
  std::string text = styled(margin, Style::quiet, colour) + excerpt.text + "\n";
  auto marks = std::string(excerpt.width, caret);
  if (!words.empty()) marks += " " + std::string(words);
  return text + styled(empty, Style::quiet, colour) + std::string(excerpt.indent, ' ') +
         styled(marks, style, colour) + "\n";
}

}  // namespace

Position position_of(std::string_view text, std::size_t byte) {
  byte = std::min(byte, text.size());
  auto const line_begin = byte == 0 ? 0 : text.rfind('\n', byte - 1) + 1;
  Position position;
  position.line += static_cast<std::size_t>(
      std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(line_begin), '\n'));
  for (auto i = line_begin; i < byte; ++i)
    if ((static_cast<unsigned char>(text[i]) & 0xc0) != 0x80) ++position.column;
  if (line_begin == 0 && text.starts_with("\xef\xbb\xbf") && position.column > 1) --position.column;
  return position;
}

std::string place_text(Span span, std::vector<Source> const& sources) {
  if (!shown(span, sources)) return {};
  auto const& source = sources[span.file];
  if (source.name == command_line_name) return source.name;
  auto const position = position_of(source.text, span.begin);
  return source.name + ":" + std::to_string(position.line) + ":" + std::to_string(position.column);
}

std::string render(Diagnostic const& diagnostic, std::vector<Source> const& sources, bool colour,
                   bool with_help) {
  bool const error = diagnostic.info->severity == Severity::error;
  auto const style = error ? Style::error : Style::warning;
  std::string text;
  if (auto const place = place_text(diagnostic.span, sources); !place.empty())
    text += styled(place + ": ", Style::strong, colour);
  auto const kind =
      std::string(error ? "error" : "warning") + "[" + std::string(diagnostic.info->code) + "]: ";
  text += styled(kind, style, colour) + styled(diagnostic.message, Style::strong, colour) + "\n";

  auto const words =
      diagnostic.suggestions.empty() ? std::string() : question(diagnostic.suggestions);
  if (shown(diagnostic.span, sources))
    text += excerpt_lines(diagnostic.span, sources, '^', words, style, colour);
  else if (!words.empty())
    text += "  " + words + "\n";
  for (auto const& label : diagnostic.labels) {
    if (!shown(label.span, sources)) {
      text += "  " + styled("note: ", Style::label, colour) + label.words + "\n";
      continue;
    }
    if (label.span.file != diagnostic.span.file)
      text += "  " + styled("at ", Style::label, colour) + place_text(label.span, sources) + "\n";
    text += excerpt_lines(label.span, sources, '-', label.words, Style::label, colour);
  }
  for (auto const& note : diagnostic.notes)
    text += "  " + styled("note: ", Style::label, colour) + note + "\n";
  if (with_help && !diagnostic.info->help.empty())
    text +=
        "  " + styled("help: ", Style::label, colour) + std::string(diagnostic.info->help) + "\n";
  return text;
}

std::string render(Report const& report, std::vector<Source> const& sources, bool colour) {
  std::string text;
  std::size_t errors = 0, warnings = 0;
  std::set<DiagnosticInfo const*> helped;
  for (auto const* diagnostic : report.sorted()) {
    if (errors + warnings < most_shown)
      text += render(*diagnostic, sources, colour, helped.insert(diagnostic->info).second);
    ++(diagnostic->info->severity == Severity::error ? errors : warnings);
  }
  if (errors + warnings > most_shown) text += "only the first are shown: ";
  auto const count = [](std::size_t n, std::string_view what) {
    return std::to_string(n) + " " + std::string(what) + (n == 1 ? "" : "s");
  };
  if (errors > 0) text += count(errors, "error");
  if (warnings > 0) text += (errors > 0 ? ", " : "") + count(warnings, "warning");
  if (errors + warnings > 0) text += "\n";
  return text;
}

}  // namespace lbann::compiler
