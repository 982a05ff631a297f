// Diagnostics for programs: every JSON line parses, every GitHub command is one line.
#include "compiler/diagnostics/formats.hpp"

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
  report.add(odd, {}, {"\xff"});
  report.add(odd, {1, 11, 12}, {"x"});
  return report;
}

}  // namespace

TEST_CASE("json: one object a line with all places") {
  std::istringstream lines(render(report(), sources, Format::json, false));
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
  CHECK(first["times"] == 2);
  REQUIRE(std::getline(lines, line));
  CHECK(nlohmann::json::parse(line)["place"].is_null());
  CHECK_FALSE(std::getline(lines, line));
}

TEST_CASE("github: one workflow command a line, everything escaped") {
  auto const text = render(report(), sources, Format::github, false);
  CHECK(std::count(text.begin(), text.end(), '\n') == 2);
  CHECK(
      text.starts_with("::warning file=d%2C1/e.yaml,line=2,col=6,endLine=2,endColumn=7,title=odd::"
                       "`x`, 100%25: odd%0Adid you mean `y`?%0A"));
  CHECK(text.find("\n::warning title=odd::") != std::string::npos);
}

TEST_CASE("human: a copy tells which one it is") {
  Report only;
  only.add(odd, {1, 11, 12}, {"x"});
  CHECK(render(only, sources, Format::human, false) ==
        "d,1/e.yaml:2:6: warning[odd]: `x`, 100%: odd\n"
        "    2 | b: \xc3\xa4 x\n"
        "      |      ^\n"
        "  note: in round 2 of repeat at d,1/e.yaml:1:1\n"
        "  help: Do it.\n"
        "1 warning\n");
}
