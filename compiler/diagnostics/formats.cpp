// Diagnostics as JSON lines and as GitHub workflow commands.
#include "compiler/diagnostics/formats.hpp"

#include <nlohmann/json.hpp>

#include "compiler/diagnostics/render.hpp"

namespace lbann::compiler {

namespace {

using Json = nlohmann::ordered_json;

struct LineRange {
  std::string_view file;
  Position begin, end;
};

std::optional<LineRange> range_of(Span span, std::vector<Source> const& sources) {
  if (!span.known() || span.file >= sources.size()) return std::nullopt;
  auto const& source = written_source(sources, span.file);
  return LineRange{source.name, position_of(source.text, span.begin),
                   position_of(source.text, span.end)};
}

Json place_json(Span span, std::vector<Source> const& sources) {
  auto const range = range_of(span, sources);
  if (!range) return nullptr;
  return {{"file", range->file},
          {"line", range->begin.line},
          {"column", range->begin.column},
          {"end_line", range->end.line},
          {"end_column", range->end.column},
          {"begin", span.begin},
          {"end", span.end}};
}

Json labels_json(std::vector<Label> const& labels, std::vector<Source> const& sources) {
  auto list = Json::array();
  for (auto const& label : labels)
    list.push_back({{"words", label.words}, {"place", place_json(label.span, sources)}});
  return list;
}

Json values_json(std::vector<MessageValue> const& values) {
  auto object = Json::object();
  for (auto const& value : values) object[std::string(value.name)] = value.text;
  return object;
}

std::string json_line(Finding const& finding, std::vector<Source> const& sources) {
  auto const& diagnostic = finding.diagnostic;
  auto const& info = *diagnostic.info;
  Json const object = {{"code", info.code},
                       {"severity", severity_names[static_cast<std::size_t>(info.severity)]},
                       {"stage", stage_names[static_cast<std::size_t>(info.stage)]},
                       {"message", diagnostic.message},
                       {"values", values_json(diagnostic.values)},
                       {"help", diagnostic.help},
                       {"place", place_json(diagnostic.span, sources)},
                       {"labels", labels_json(diagnostic.labels, sources)},
                       {"notes", diagnostic.notes},
                       {"causes", labels_json(causes_of(diagnostic.span, sources), sources)},
                       {"suggestions", diagnostic.suggestions},
                       {"times", finding.times}};
  // What an invalid text holds is replaced, not thrown over.
  return object.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
}

/// Escapes of GitHub's workflow commands: those of values, and more of properties.
std::string github_text(std::string_view text, bool property) {
  std::string escaped;
  for (char const c : text) {
    if (c == '%')
      escaped += "%25";
    else if (c == '\r')
      escaped += "%0D";
    else if (c == '\n')
      escaped += "%0A";
    else if (property && c == ':')
      escaped += "%3A";
    else if (property && c == ',')
      escaped += "%2C";
    else
      escaped += c;
  }
  return escaped;
}

std::string github_line(Finding const& finding, std::vector<Source> const& sources) {
  auto const& diagnostic = finding.diagnostic;
  constexpr std::array<std::string_view, 3> commands = {"error", "warning", "notice"};
  std::string line =
      "::" + std::string(commands[static_cast<std::size_t>(diagnostic.info->severity)]) + " ";
  if (auto const range = range_of(diagnostic.span, sources);
      range && range->file != command_line_name)
    line += "file=" + github_text(range->file, true) +
            ",line=" + std::to_string(range->begin.line) +
            ",col=" + std::to_string(range->begin.column) +
            ",endLine=" + std::to_string(range->end.line) +
            ",endColumn=" + std::to_string(range->end.column) + ",";
  auto words = diagnostic.message;
  if (!diagnostic.suggestions.empty()) words += "\n" + question(diagnostic.suggestions);
  for (auto const& label : diagnostic.labels)
    words += "\n" + place_text(label.span, sources) + ": " + label.words;
  for (auto const& note : diagnostic.notes) words += "\n" + note;
  for (auto const& cause : causes_of(diagnostic.span, sources))
    words += "\n" + cause.words + " at " + place_text(cause.span, sources);
  if (!diagnostic.help.empty()) words += "\n" + std::string(diagnostic.help);
  return line + "title=" + github_text(diagnostic.info->code, true) +
         "::" + github_text(words, false) + "\n";
}

}  // namespace

std::string render(Report const& report, std::vector<Source> const& sources, Format format,
                   bool colour) {
  if (format == Format::human) return render(report, sources, colour);
  std::string text;
  for (auto const& finding : findings(report, sources))
    text += format == Format::json ? json_line(finding, sources) : github_line(finding, sources);
  return text;
}

}  // namespace lbann::compiler
