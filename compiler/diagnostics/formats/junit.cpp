// A test report: each experiment is a case.
#include <algorithm>

#include "compiler/diagnostics/formats/writers.hpp"
#include "compiler/source/text_checks.hpp"

namespace lbann::compiler {

namespace {

/// A text in XML; what that cannot hold, control characters and what is not UTF-8, becomes `?`.
std::string escaped(std::string_view text) {
  std::string result;
  for (std::size_t at = 0; at < text.size();) {
    auto const length = character_length(text, at);
    auto const character = text.substr(at, std::max<std::size_t>(length, 1));
    at += character.size();
    if (character == "&")
      result += "&amp;";
    else if (character == "<")
      result += "&lt;";
    else if (character == ">")
      result += "&gt;";
    else if (character == "\"")
      result += "&quot;";
    else if (character == "\n")
      result += "&#10;";
    else if (length == 0 || (length == 1 && static_cast<unsigned char>(character[0]) < 0x20))
      result += '?';
    else
      result += character;
  }
  return result;
}

std::string all_words(CheckedExperiment const& experiment, Severity severity) {
  std::string text;
  for (auto const& finding : experiment.findings) {
    if (finding.severity != severity) continue;
    auto const& place = finding.place;
    if (place && place->in_file())
      text += place->file + ":" + std::to_string(place->begin.line) + ":" +
              std::to_string(place->begin.column) + ": ";
    text += std::string(severity_names[static_cast<std::size_t>(severity)]) + "[" +
            std::string(finding.code) + "]: " + words_of(finding) + "\n";
  }
  return text;
}

/// `<failure message="..." type="code">words</failure>` of the first finding and all words.
std::string element(std::string_view name, CheckedExperiment const& experiment, Severity severity) {
  auto const first = std::ranges::find(experiment.findings, severity, &LocatedFinding::severity);
  if (first == experiment.findings.end()) return {};
  auto const tag = std::string(name);
  bool const typed = name == "failure";
  return "      <" + tag + " message=\"" + escaped(first->message) + "\"" +
         (typed ? " type=\"" + escaped(first->code) + "\"" : "") + ">" +
         escaped(all_words(experiment, severity)) + "</" + tag + ">\n";
}

std::string test_case(CheckedExperiment const& experiment) {
  auto text = "    <testcase name=\"" + escaped(experiment.file) +
              "\" classname=\"lbann-compile\" file=\"" + escaped(experiment.file) + "\">\n";
  if (count_of(experiment, Severity::error) > 0)
    text += element("failure", experiment, Severity::error);
  else
    text += element("skipped", experiment, Severity::unknown);
  if (auto const warnings = all_words(experiment, Severity::warning); !warnings.empty())
    text += "      <system-err>" + escaped(warnings) + "</system-err>\n";
  return text + "    </testcase>\n";
}

}  // namespace

std::string junit_report(std::span<CheckedExperiment const> experiments) {
  std::size_t failures = 0, skipped = 0;
  std::string cases;
  for (auto const& experiment : experiments) {
    bool const fails = count_of(experiment, Severity::error) > 0;
    failures += fails ? 1 : 0;
    skipped += !fails && count_of(experiment, Severity::unknown) > 0 ? 1 : 0;
    cases += test_case(experiment);
  }
  auto const counts = " name=\"lbann-compile\" tests=\"" + std::to_string(experiments.size()) +
                      "\" failures=\"" + std::to_string(failures) + "\" errors=\"0\" skipped=\"" +
                      std::to_string(skipped) + "\">\n";
  return "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n  <testsuite" + counts + cases +
         "  </testsuite>\n</testsuites>\n";
}

}  // namespace lbann::compiler
