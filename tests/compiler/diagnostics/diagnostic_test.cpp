// Report, nearest names, and diagnostics as text.
#include "compiler/diagnostics/diagnostic.hpp"

#include <doctest/doctest.h>

#include <stdexcept>

#include "compiler/diagnostics/excerpt.hpp"
#include "compiler/diagnostics/render.hpp"

using namespace lbann;
using namespace lbann::compiler;

namespace {
constexpr DiagnosticInfo sample{"sample", Stage::experiment, Severity::error,
                                "`{name}` is not `{kind}`", "Do something."};
constexpr DiagnosticInfo mild{"mild", Stage::experiment, Severity::warning, "odd", ""};
}  // namespace

TEST_CASE("nearest(name, names)") {
  std::vector<std::string_view> const names = {"out_channels", "kernel_size", "stride",
                                               "padding",      "relu",        "leaky_relu",
                                               "convolution",  "num_neurons"};
  using List = std::vector<std::string>;
  CHECK(nearest("out_chanels", names) == List{"out_channels"});
  CHECK(nearest("OutChannels", names) == List{"out_channels"});
  CHECK(nearest("strides", names) == List{"stride"});
  CHECK(nearest("Relu", names).front() == "relu");
  CHECK(nearest("conv", names) == List{"convolution"});
  CHECK(nearest("neurons", names) == List{"num_neurons"});
  CHECK(nearest("zzz", names).empty());
  CHECK(nearest("", names).empty());
  CHECK(nearest(std::string(100000, 'a'), names).empty());
}

TEST_CASE("Report::sorted orders by place and drops repetitions") {
  Report report;
  report.add(sample, {0, 9, 10}, {"b", "c"});
  report.add(mild, {0, 3, 4});
  report.add(sample, {0, 9, 10}, {"b", "c"});
  REQUIRE(report.sorted().size() == 2);
  CHECK(report.sorted()[0]->info == &mild);
  CHECK(report.sorted()[1]->message == "`b` is not `c`");
  CHECK(report.sorted()[1]->values[1].name == "kind");
  CHECK(report.sorted()[1]->values[1].text == "c");
  CHECK(report.has_errors());
  CHECK_THROWS_AS(report.add(sample, {}, {"b"}), std::logic_error);
  CHECK_THROWS_AS(report.add(mild, {}, {"b"}), std::logic_error);
  Report warnings;
  warnings.add(mild, {});
  CHECK_FALSE(warnings.has_errors());
}

TEST_CASE("render shows place, line, carets, labels, help") {
  std::vector<Source> const sources = {{"e.yaml", "a: 1\nb: {strid: 2}\n"},
                                       {std::string(command_line_name), "--set a=x"}};
  Report report;
  auto& diagnostic = report.add(sample, {0, 9, 14}, {"strid", "x"});
  diagnostic.suggestions = {"stride", "string"};
  diagnostic.labels.push_back({{0, 0, 1}, "first here"});
  diagnostic.labels.push_back({{1, 6, 7}, "set here"});
  diagnostic.notes.push_back("a note");
  CHECK(render(report, sources, false) ==
        "e.yaml:2:5: error[sample]: `strid` is not `x`\n"
        "    2 | b: {strid: 2}\n"
        "      |     ^^^^^ did you mean `stride` or `string`?\n"
        "    1 | a: 1\n"
        "      | - first here\n"
        "  at command line\n"
        "      | --set a=x\n"
        "      |       - set here\n"
        "  note: a note\n"
        "  help: Do something.\n"
        "1 error\n");
  CHECK(render(report, sources, true).find("\033[1;31m") != std::string::npos);
  report.add(mild, {});
  CHECK(render(report, sources, false).ends_with("1 error, 1 warning\n"));
}

TEST_CASE("excerpt_of counts columns of the terminal") {
  std::string const text = "x: \xc3\xa4\xe6\xbc\xa2 key\n";
  auto const key = static_cast<std::uint32_t>(text.find("key"));
  auto const excerpt = excerpt_of(text, {0, key, key + 3});
  CHECK(excerpt.indent == 7);
  CHECK(excerpt.width == 3);
  CHECK(position_of(text, key).column == 7);

  auto const hostile = excerpt_of(
      "a\t\x1b[31m\xe2\x80\xae"
      "b\r\n",
      {0, 0, 1});
  CHECK(hostile.text == "a  .[31m.b");
  // What is not UTF-8 is not shown as if it were: lone, overlong, surrogate, beyond Unicode.
  CHECK(excerpt_of("a\x82\x83 \xc0\xaf \xed\xa0\x80 \xf8\x90\x80\x80 \xf4\x90\x80\x80 \xc3\xa4",
                   {0, 0, 1})
            .text == "a.. .. ... .... .... \xc3\xa4");
}

TEST_CASE("excerpt_of cuts long lines around the span and spans at the end of a line") {
  std::string const text = std::string(5000, 'a') + "KEY" + std::string(5000, 'b') + "\nnext";
  auto const excerpt = excerpt_of(text, {0, 5000, 5003});
  CHECK(excerpt.text.size() < 200);
  CHECK(excerpt.text.substr(excerpt.indent, excerpt.width) == "KEY");
  auto const lines = excerpt_of("ab\ncd\n", {0, 1, 5});
  CHECK(lines.text == "ab");
  CHECK(lines.indent == 1);
  CHECK(lines.width == 1);
  auto const end = excerpt_of("ab\n", {0, 100, 200});
  CHECK(end.line == 2);
  CHECK(end.width == 1);
  CHECK(excerpt_of("", {0, 0, 0}).text.empty());
}
