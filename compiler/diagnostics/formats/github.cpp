// Diagnostics as GitHub's workflow commands, which annotate the lines of a pull request.
#include "compiler/diagnostics/formats/writers.hpp"

namespace lbann::compiler {

namespace {

/// Escapes of workflow commands: those of values, and more of properties.
std::string escaped(std::string_view text, bool property) {
  std::string result;
  for (char const c : text) {
    if (c == '%')
      result += "%25";
    else if (c == '\r')
      result += "%0D";
    else if (c == '\n')
      result += "%0A";
    else if (property && c == ':')
      result += "%3A";
    else if (property && c == ',')
      result += "%2C";
    else
      result += c;
  }
  return result;
}

std::string command(LocatedFinding const& finding) {
  constexpr std::array<std::string_view, 4> commands = {"error", "warning", "notice", "notice"};
  auto line = "::" + std::string(commands[static_cast<std::size_t>(finding.severity)]) + " ";
  if (auto const& place = finding.place; place && place->in_file())
    line += "file=" + escaped(place->file, true) + ",line=" + std::to_string(place->begin.line) +
            ",col=" + std::to_string(place->begin.column) +
            ",endLine=" + std::to_string(place->end.line) +
            ",endColumn=" + std::to_string(place->end.column) + ",";
  return line + "title=" + escaped(finding.code, true) + "::" + escaped(words_of(finding), false) +
         "\n";
}

}  // namespace

std::string github_commands(std::span<CheckedExperiment const> experiments) {
  std::string text;
  for (auto const& experiment : experiments)
    for (auto const& finding : experiment.findings) text += command(finding);
  return text;
}

}  // namespace lbann::compiler
