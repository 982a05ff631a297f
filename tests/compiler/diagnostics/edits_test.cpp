// Edits of diagnostics in the notation of the file that they change.
#include "compiler/diagnostics/formats/edits.hpp"

#include <doctest/doctest.h>

#include "compiler/diagnostics/formats/format.hpp"

using namespace lbann;
using namespace lbann::compiler;

namespace {

constexpr DiagnosticInfo fault{"fault", Stage::graph, Severity::error, "fault", ""};
constexpr DiagnosticInfo hint{"hint", Stage::graph, Severity::warning, "hint", ""};

/// The text after the edits of one diagnostic of all of `word`; empty if there are none.
std::string edited(std::string const& name, std::string const& word, std::string const& text,
                   bool sure, DiagnosticInfo const& info = fault) {
  std::vector<Source> const sources = {{name, word}};
  Report report;
  auto& diagnostic = report.add(info, {0, 0, static_cast<std::uint32_t>(word.size())});
  diagnostic.suggestions = {text};
  if (sure) diagnostic.edits = {{diagnostic.span, text}};
  diagnostic.syntax = syntax_of(name);
  auto const edits = located_edits(report.diagnostics().front(), sources);
  return edits.empty() ? "" : edits.front().text;
}

}  // namespace

TEST_CASE("names stay in quotes, and fields are written as the file does") {
  CHECK(edited("e.yaml", "val", "validate", true) == "validate");
  CHECK(edited("e.toml", "\"val\"", "validate", true) == "\"validate\"");
  CHECK(edited("e.yaml", "'84'", "84", true) == "84");
  CHECK(edited("e.toml", "\"true\"", "true", true) == "true");
  CHECK(edited("e.yaml", "relu", "relu:", true) == "relu:");
  CHECK(edited("e.toml", "\"relu\"", "relu:", true) == "{relu = {}}");
  CHECK(edited("e.toml", "x", "{adam: {learn_rate: 1}}", true) == "{adam = {learn_rate = 1}}");
  CHECK(edited("e.prototext", "x", "{adam: {learn_rate: 1}}", true).empty());
  CHECK(edited("e.toml", "\"5 5\"", "[5, 5]", true) == "[5, 5]");
}

TEST_CASE("without edits of its own an error is repaired where a name is misspelt") {
  CHECK(edited("e.yaml", "strid", "stride", false) == "stride");
  CHECK(edited("e.toml", "\"los\"", "loss", false) == "\"loss\"");
  CHECK(edited("e.yaml", "maxout", "max", false).empty());
  CHECK(edited("e.yaml", "010", "10", false).empty());
  CHECK(edited("e.yaml", "strid", "stride", false, hint).empty());
  CHECK(edited(std::string(command_line_name), "strid", "stride", false).empty());
}

TEST_CASE("fields are put between braces alone") {
  for (auto const& [text, at, expected] :
       {std::tuple("p = {k = 2}", 5U, "mode = \"max\", "), std::tuple("[p]\nk = 2", 4U, "")}) {
    std::vector<Source> const sources = {{"e.toml", text}};
    Report report;
    report.add(fault, {0, 0, 1}).edits = {{{0, at, at}, "mode: max, "}};
    auto diagnostic = report.diagnostics().front();
    diagnostic.syntax = Syntax::toml;
    auto const edits = located_edits(diagnostic, sources);
    CHECK((edits.empty() ? "" : edits.front().text) == expected);
  }
}

TEST_CASE("edits lie in one file") {
  std::vector<Source> const sources = {{"a.yaml", "x: 1"}, {"b.yaml", "y: 2"}};
  Report report;
  report.add(fault, {0, 0, 1}).edits = {{{0, 0, 1}, "z"}, {{1, 0, 1}, "z"}};
  CHECK(located_edits(report.diagnostics().front(), sources).empty());
}

TEST_CASE("an entry of a list is put before another one in lines of its own") {
  auto const inserted = [](std::string const& name, std::string const& text) {
    std::vector<Source> const sources = {{name, text}};
    auto const at = static_cast<std::uint32_t>(text.find("loss"));
    Report report;
    report.add(fault, {0, at, at + 4}).edits = {{{0, at, at + 4}, "softmax: {name: p}\n- loss"}};
    auto diagnostic = report.diagnostics().front();
    diagnostic.syntax = syntax_of(name);
    auto const edits = located_edits(diagnostic, sources);
    return edits.empty() ? "" : edits.front().text;
  };
  CHECK(inserted("e.yaml", "a:\n  - loss: {}") == "softmax: {name: p}\n  - loss");
  CHECK(inserted("e.yaml", "a:\r\n- loss:\r\n") == "softmax: {name: p}\r\n- loss");
  CHECK(inserted("e.yaml", "- loss:") == "softmax: {name: p}\n- loss");
  CHECK(inserted("e.yaml", "a:\n  -   loss: {}").empty());
  CHECK(inserted("e.yaml", "a: [loss: {}]").empty());
  CHECK(inserted("e.toml", "a = [{loss = {}}]").empty());
  CHECK(inserted("e.prototext", "- loss {}").empty());
}
