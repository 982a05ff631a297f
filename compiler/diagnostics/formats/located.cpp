// Spans resolved once, for all formats.
#include "compiler/diagnostics/formats/located.hpp"

#include <algorithm>

#include "compiler/diagnostics/formats/edits.hpp"

namespace lbann::compiler {

namespace {

std::vector<LocatedLabel> located(std::vector<Label> const& labels,
                                  std::vector<Source> const& sources) {
  std::vector<LocatedLabel> list;
  for (auto const& label : labels) list.push_back({label.words, place_of(label.span, sources)});
  return list;
}

/// `file:line:col`.
std::string text_of(Place const& place) {
  if (!place.in_file()) return place.file;
  return place.file + ":" + std::to_string(place.begin.line) + ":" +
         std::to_string(place.begin.column);
}

}  // namespace

std::optional<Place> place_of(Span span, std::vector<Source> const& sources) {
  if (!span.known() || span.file >= sources.size()) return std::nullopt;
  auto const& source = written_source(sources, span.file);
  return Place{source.name, position_of(source.text, span.begin),
               position_of(source.text, span.end), span.begin, span.end};
}

std::vector<LocatedFinding> located_findings(Report const& report,
                                             std::vector<Source> const& sources) {
  std::vector<LocatedFinding> list;
  for (auto& [diagnostic, times] : findings(report, sources)) {
    auto const& info = *diagnostic.info;
    list.push_back({info.code, &info, info.severity, diagnostic.message,
                    place_of(diagnostic.span, sources), located(diagnostic.labels, sources),
                    located(causes_of(diagnostic.span, sources), sources), diagnostic.notes,
                    diagnostic.suggestions, diagnostic.values, diagnostic.help, times,
                    located_edits(diagnostic, sources)});
  }
  return list;
}

LocatedFinding finding_of_file(std::string_view code, std::string file, std::string message) {
  LocatedFinding finding;
  finding.code = code;
  finding.message = std::move(message);
  finding.place = Place{std::move(file), {}, {}, 0, 0};
  return finding;
}

std::string words_of(LocatedFinding const& finding) {
  auto words = finding.message;
  if (!finding.suggestions.empty()) words += "\n" + question(finding.suggestions);
  for (auto const& label : finding.labels)
    words += "\n" + (label.place ? text_of(*label.place) + ": " : std::string()) + label.words;
  for (auto const& note : finding.notes) words += "\n" + note;
  for (auto const& cause : finding.causes)
    words += "\n" + cause.words + (cause.place ? " at " + text_of(*cause.place) : std::string());
  if (!finding.help.empty()) words += "\n" + finding.help;
  return words;
}

std::size_t count_of(CheckedExperiment const& experiment, Severity severity) {
  return static_cast<std::size_t>(
      std::ranges::count(experiment.findings, severity, &LocatedFinding::severity));
}

}  // namespace lbann::compiler
