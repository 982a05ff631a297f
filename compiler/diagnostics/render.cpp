// Diagnostics as text.
#include "compiler/diagnostics/render.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <tuple>

#include "compiler/diagnostics/excerpt.hpp"
#include "compiler/diagnostics/notation.hpp"
#include "compiler/diagnostics/shortened.hpp"
#include "schemas/plan/location.hpp"

namespace lbann::compiler {

namespace {

constexpr std::size_t most_shown = 100;

enum class Style { error, warning, label, quiet, strong };

constexpr std::size_t most_causes = 4;

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

/// The line of a span and the carets below it with `words` at their end.
std::string excerpt_lines(Span span, std::vector<Source> const& sources, char caret,
                          std::string_view words, Style style, bool colour) {
  auto const& source = written_source(sources, span.file);
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

/// Whether two places are the same place of a text, maybe in different copies of it.
bool same_file(Span a, Span b, std::vector<Source> const& sources) {
  if (a.file == b.file) return true;
  return shown(a, sources) && shown(b, sources) &&
         &written_source(sources, a.file) == &written_source(sources, b.file);
}

/// What is to be written, in the syntax of the file.
void translate(Diagnostic& diagnostic, Syntax syntax) {
  diagnostic.syntax = syntax;
  if (syntax == Syntax::yaml) return;
  for (auto& label : diagnostic.labels) label.words = words_in(syntax, label.words);
  for (auto& note : diagnostic.notes) note = words_in(syntax, note);
  for (auto& text : diagnostic.suggestions) text = fragment_in(syntax, text).value_or(text);
  diagnostic.help = words_in(syntax, diagnostic.help);
}

/// What is said beside the message can hold values of the user, too.
Diagnostic with_short_words(Diagnostic diagnostic) {
  for (auto& label : diagnostic.labels) label.words = shortened(label.words);
  for (auto& note : diagnostic.notes) note = shortened(note, longest_note, true);
  std::erase_if(diagnostic.suggestions,
                [](std::string const& text) { return text.size() > longest_words; });
  return diagnostic;
}

}  // namespace

std::string question(std::vector<std::string> const& suggestions) {
  std::string text = "did you mean ";
  for (std::size_t i = 0; i < suggestions.size(); ++i) {
    if (i > 0) text += i + 1 == suggestions.size() ? " or " : ", ";
    text += "`" + suggestions[i] + "`";
  }
  return text + "?";
}

std::vector<Label> causes_of(Span span, std::vector<Source> const& sources) {
  std::vector<Label> causes;
  while (shown(span, sources) && sources[span.file].copy_of != Span::no_file) {
    auto const& source = sources[span.file];
    causes.push_back({source.cause, shortened(source.words)});
    span = source.cause;
  }
  return causes;
}

std::vector<Finding> findings(Report const& report, std::vector<Source> const& sources) {
  auto const key = [&](Diagnostic const* d) {
    auto const written = shown(d->span, sources) ? &written_source(sources, d->span.file) : nullptr;
    return std::tuple(written == nullptr ? sources.data() + sources.size() : written, d->span.begin,
                      d->span.file);
  };
  auto order = report.sorted();
  std::stable_sort(order.begin(), order.end(),
                   [&](auto const* a, auto const* b) { return key(a) < key(b); });
  using Found = std::pair<Diagnostic const*, std::size_t>;
  std::vector<Found> found;
  std::map<std::pair<DiagnosticInfo const*, std::string_view>, std::size_t> told_once;
  for (auto const* diagnostic : order) {
    if (diagnostic->info->once) {
      auto const [known, is_new] =
          told_once.try_emplace({diagnostic->info, diagnostic->message}, found.size());
      if (is_new)
        found.push_back({diagnostic, 1});
      else
        ++found[known->second].second;
      continue;
    }
    auto const same = [&](Found const& other) {
      auto const& d = *other.first;
      return d.info == diagnostic->info && d.span.begin == diagnostic->span.begin &&
             d.span.end == diagnostic->span.end && d.message == diagnostic->message &&
             same_file(d.span, diagnostic->span, sources);
    };
    // Those of one place stand together.
    auto const begin = std::find_if(found.rbegin(), found.rend(), [&](Found const& other) {
                         return other.first->span.begin != diagnostic->span.begin ||
                                !same_file(other.first->span, diagnostic->span, sources);
                       }).base();
    auto const known = std::find_if(begin, found.end(), same);
    if (known != found.end())
      ++known->second;
    else
      found.push_back({diagnostic, 1});
  }
  std::vector<Finding> readable;
  for (auto const& [diagnostic, times] : found) {
    readable.push_back({with_short_words(*diagnostic), times});
    auto const file = diagnostic->span.file;
    bool const is_copy = file < sources.size() && sources[file].copy_of < sources.size();
    translate(readable.back().diagnostic,
              report.syntax_of_file(is_copy ? sources[file].copy_of : file));
  }
  return readable;
}

std::string count_text(std::size_t errors, std::size_t warnings, std::size_t notes,
                       std::size_t unknown) {
  std::string text;
  auto const add = [&](std::size_t n, std::string_view what) {
    if (n == 0) return;
    text += (text.empty() ? "" : ", ") + std::to_string(n) + " " + std::string(what) +
            (n == 1 ? "" : "s");
  };
  add(errors, "error");
  add(warnings, "warning");
  add(notes, "note");
  if (unknown > 0) text += (text.empty() ? "" : ", ") + std::to_string(unknown) + " unknown";
  return text;
}

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
  auto const& source = written_source(sources, span.file);
  if (source.name == command_line_name) return source.name;
  if (source.text.starts_with(decoded_messages)) return location(sources, span);
  auto const position = position_of(source.text, span.begin);
  return source.name + ":" + std::to_string(position.line) + ":" + std::to_string(position.column);
}

std::string render(Finding const& finding, std::vector<Source> const& sources, bool colour,
                   bool with_help) {
  auto const& diagnostic = finding.diagnostic;
  auto const severity = diagnostic.info->severity;
  auto const style = severity == Severity::error     ? Style::error
                     : severity == Severity::warning ? Style::warning
                                                     : Style::label;
  std::string text;
  if (auto const place = place_text(diagnostic.span, sources); !place.empty())
    text += styled(place + ": ", Style::strong, colour);
  auto const kind = std::string(severity_names[static_cast<std::size_t>(severity)]) + "[" +
                    std::string(diagnostic.info->code) + "]: ";
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
    if (!same_file(label.span, diagnostic.span, sources))
      text += "  " + styled("at ", Style::label, colour) + place_text(label.span, sources) + "\n";
    text += excerpt_lines(label.span, sources, '-', label.words, Style::label, colour);
  }
  auto const note = [&](std::string const& words) {
    text += "  " + styled("note: ", Style::label, colour) + words + "\n";
  };
  for (auto const& words : diagnostic.notes) note(words);
  auto const causes = causes_of(diagnostic.span, sources);
  for (std::size_t i = 0; i < causes.size() && i < most_causes; ++i)
    note(causes[i].words + " at " + place_text(causes[i].span, sources));
  if (finding.times > 1) {
    auto const others = std::to_string(finding.times - 1);
    note(!diagnostic.info->once
             ? "and in " + others + " more like this"
             : "the same at " + others + " other place" + (finding.times == 2 ? "" : "s"));
  }
  if (with_help && !diagnostic.help.empty())
    text += "  " + styled("help: ", Style::label, colour) + diagnostic.help + "\n";
  return text;
}

std::string render(Report const& report, std::vector<Source> const& sources, bool colour) {
  std::string text;
  std::array<std::size_t, severity_names.size()> counts{};
  std::size_t met = 0;
  std::set<DiagnosticInfo const*> helped;
  for (auto const& finding : findings(report, sources)) {
    auto const* info = finding.diagnostic.info;
    if (met++ < most_shown) text += render(finding, sources, colour, helped.insert(info).second);
    ++counts[static_cast<std::size_t>(info->severity)];
  }
  if (met > most_shown) text += "only the first are shown: ";
  if (met > 0) text += count_text(counts[0], counts[1], counts[2], counts[3]) + "\n";
  return text;
}

}  // namespace lbann::compiler
