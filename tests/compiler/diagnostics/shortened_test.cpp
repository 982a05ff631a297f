// What messages show of long texts.
#include "compiler/diagnostics/shortened.hpp"

#include <doctest/doctest.h>

#include "compiler/diagnostics/formats/format.hpp"
#include "compiler/diagnostics/render.hpp"
#include "schemas/diagnostics/catalogue.hpp"

using namespace lbann;
using namespace lbann::compiler;

TEST_CASE("shortened: begin and end of a long text, on one line") {
  CHECK(shortened("abc", 3) == "abc");
  CHECK(shortened("0123456789abcdefghij", 12) == "012345...hij");
  CHECK(shortened("a\nb\x1b[31mc\x7f") == "a b [31mc ");
  CHECK(shortened(std::string(longest_words, 'x')) == std::string(longest_words, 'x'));
  CHECK(shortened(std::string(10 << 20, 'x')).size() == longest_words);
  // Characters of several bytes stay whole.
  std::string umlauts;
  for (int i = 0; i < 20; ++i) umlauts += "\xc3\xa4";
  CHECK(shortened(umlauts, 13) == "\xc3\xa4\xc3\xa4\xc3\xa4...\xc3\xa4");
}

TEST_CASE("no part of a message shows a long value whole") {
  std::string const text(10 << 20, 'x');
  Report report;
  auto& diagnostic =
      report.add(diagnostics::wrong_type, {0, 4, 4 + (10 << 20)}, {text, text, text});
  diagnostic.labels.push_back({{0, 0, 4}, text});
  diagnostic.labels.push_back({{}, text});
  diagnostic.notes.push_back(text);
  diagnostic.suggestions = {text, "short"};
  std::vector<Source> const sources = {{"e.yaml", "k: `" + text},
                                       {{}, {}, 0, {0, 0, 1}, "in the call " + text}};
  report.add(diagnostics::wrong_type, {1, 0, 3}, {text, text, text});
  for (auto const format : {Format::human, Format::json, Format::github, Format::sarif,
                            Format::gitlab, Format::junit}) {
    std::vector<CheckedExperiment> const told = {{"e.yaml", located_findings(report, sources)}};
    auto const words =
        format == Format::human ? render(report, sources, false) : formatted(format, told);
    CHECK(words.size() > 1000);
    CHECK(words.size() < 20000);
    CHECK(words.find("short") != std::string::npos);
  }
}
