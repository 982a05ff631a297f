// Diagnostics for programs: every JSON line parses, every GitHub command is one line.
#include "compiler/diagnostics/formats/format.hpp"

#include <doctest/doctest.h>

#include <nlohmann/json.hpp>
#include <sstream>

#include "compiler/diagnostics/render.hpp"

using namespace lbann;
using namespace lbann::compiler;

namespace {

constexpr DiagnosticInfo odd{"odd", Stage::graph, Severity::warning, "`{what}`, 100%: odd",
                             "Do it."};

std::vector<Source> const sources = {{"d,1/e.yaml", "a: 1\nb: \xc3\xa4 x\n"},
                                     {"", "", 0, {0, 0, 1}, "in round 2 of repeat"}};

Report report() {
  Report report;
  auto& diagnostic = report.add(odd, {0, 11, 12}, {"x"});
  diagnostic.labels.push_back({{0, 0, 1}, "first"});
  diagnostic.notes = {"a\nnote"};
  diagnostic.suggestions = {"y"};
  diagnostic.edits = {{{0, 8, 10}, ""}, {{0, 11, 12}, "y"}};
  report.add(odd, {}, {"\xff"});
  report.add(odd, {1, 11, 12}, {"x"});
  return report;
}

std::string formatted(Format format) {
  std::vector<CheckedExperiment> const experiments = {
      {"good.yaml", {}}, {"d,1/e.yaml", located_findings(report(), sources)}};
  return formatted(format, experiments);
}

}  // namespace

TEST_CASE("json: one object a line with all places") {
  std::istringstream lines(formatted(Format::json));
  std::string line;
  REQUIRE(std::getline(lines, line));
  auto const first = nlohmann::json::parse(line);
  CHECK(first["code"] == "odd");
  CHECK(first["severity"] == "warning");
  CHECK(first["stage"] == "graph");
  CHECK(first["values"] == nlohmann::json{{"what", "x"}});
  CHECK(first["place"]["line"] == 2);
  CHECK(first["place"]["column"] == 6);
  CHECK(first["place"]["begin"] == 11);
  CHECK(first["labels"][0]["place"]["end_column"] == 2);
  CHECK(first["notes"][0] == "a\nnote");
  CHECK(first["suggestions"][0] == "y");
  REQUIRE(first["edits"].size() == 2);
  CHECK(first["edits"][0]["new_text"] == "");
  CHECK(first["edits"][1]["new_text"] == "y");
  CHECK(first["edits"][1]["place"]["begin"] == 11);
  CHECK(first["times"] == 2);
  REQUIRE(std::getline(lines, line));
  CHECK(nlohmann::json::parse(line)["place"].is_null());
  CHECK_FALSE(std::getline(lines, line));
}

TEST_CASE("github: one workflow command a line, everything escaped") {
  auto const text = formatted(Format::github);
  CHECK(std::count(text.begin(), text.end(), '\n') == 2);
  CHECK(
      text.starts_with("::warning file=d%2C1/e.yaml,line=2,col=6,endLine=2,endColumn=7,title=odd::"
                       "`x`, 100%25: odd%0Adid you mean `y`?%0A"));
  CHECK(text.find("\n::warning title=odd::") != std::string::npos);
}

TEST_CASE("sarif and gitlab: JSON, also of what is not UTF-8") {
  auto const log = nlohmann::json::parse(formatted(Format::sarif));
  auto const& results = log["runs"][0]["results"];
  REQUIRE(results.size() == 2);
  CHECK(results[0]["level"] == "warning");
  auto const& place = results[0]["locations"][0]["physicalLocation"];
  CHECK(place["artifactLocation"]["uri"] == "d%2C1/e.yaml");
  CHECK(place["region"]["startColumn"] == 6);
  CHECK(results[0]["relatedLocations"][0]["message"]["text"] == "first");
  auto const& replacements = results[0]["fixes"][0]["artifactChanges"][0]["replacements"];
  REQUIRE(replacements.size() == 2);
  CHECK(replacements[1]["insertedContent"]["text"] == "y");
  CHECK(replacements[1]["deletedRegion"]["startColumn"] == 6);
  CHECK_FALSE(results[1].contains("fixes"));
  CHECK(results[1]["locations"][0]["physicalLocation"]["region"]["startLine"] == 1);
  auto const report = nlohmann::json::parse(formatted(Format::gitlab));
  REQUIRE(report.size() == 2);
  CHECK(report[0]["location"]["lines"]["begin"] == 2);
  CHECK(report[0]["fingerprint"] != report[1]["fingerprint"]);
}

TEST_CASE("junit: a case for each experiment, in characters that XML has") {
  std::vector<CheckedExperiment> const experiments = {
      {"<a&\"b\">", {finding_of_file("odd", "x", "\xff\x01\xc3\xa4\n")}}};
  CHECK(
      formatted(Format::junit, experiments) ==
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n"
      "  <testsuite name=\"lbann-compile\" tests=\"1\" failures=\"1\" errors=\"0\" skipped=\"0\">\n"
      "    <testcase name=\"&lt;a&amp;&quot;b&quot;&gt;\" classname=\"lbann-compile\" "
      "file=\"&lt;a&amp;&quot;b&quot;&gt;\">\n"
      "      <failure message=\"??\xc3\xa4&#10;\" type=\"odd\">x:1:1: error[odd]: "
      "??\xc3\xa4&#10;&#10;</failure>\n    </testcase>\n  </testsuite>\n</testsuites>\n");
}

TEST_CASE("human: a copy tells which one it is") {
  Report only;
  only.add(odd, {1, 11, 12}, {"x"});
  CHECK(render(only, sources, false) ==
        "d,1/e.yaml:2:6: warning[odd]: `x`, 100%: odd\n"
        "    2 | b: \xc3\xa4 x\n"
        "      |      ^\n"
        "  note: in round 2 of repeat at d,1/e.yaml:1:1\n"
        "  help: Do it.\n"
        "1 warning\n");
}
