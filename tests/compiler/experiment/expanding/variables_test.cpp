// Variables: types kept, nested ones, cycles, texts around expressions.
#include "compiler/experiment/expanding/expand.hpp"

#include <doctest/doctest.h>

#include "tests/compiler/experiment/read_text.hpp"

using namespace lbann;
using namespace lbann::compiler;

namespace {

struct Substituted {
  Source source;
  Budget budget;
  Report report;
  Document document;

  explicit Substituted(std::string text) : source{"v.yaml", std::move(text)} {
    auto read = read_yaml(source, 0, budget, report);
    REQUIRE(read.has_value());
    document = std::move(*read);
    std::vector<Source> sources = {source};
    expand(document, LayerTypes(), sources, budget, report);
  }
  compiler::Node const& operator[](std::string_view key) const {
    return document.root.find(key)->value;
  }
  std::vector<std::string> codes() const {
    std::vector<std::string> list;
    for (auto const* d : report.sorted())
      list.push_back(std::string(d->info->code) + "@" +
                     source.text.substr(d->span.begin, d->span.end - d->span.begin));
    return list;
  }
};

using List = std::vector<std::string>;

}  // namespace

TEST_CASE("expand keeps types and spans of the place of use") {
  Substituted const s(
      "variables: {a: 3, b: \"${a * 2}\", name: net, dims: [1, 28], deep: {c: ${b + 1}}, s: "
      "\"4\"}\n"
      "whole: ${b}\nreal: ${a / 2}\ntext: x${a}-${name}\nlist: ${dims}\nnested: ${deep.c}\n"
      "quoted: \"${a}\"\nliteral: $${a} $5\nstring: ${s}\nx-own: ${nothing}\nflow: {k: ${a + "
      "1}}\n");
  CHECK(s.codes() == List{});
  CHECK(s["whole"].text == "6");
  CHECK_FALSE(s["whole"].quoted);
  CHECK(s.source.text.substr(s["whole"].span.begin, 4) == "${b}");
  CHECK(s["real"].text == "1.5");
  CHECK(s["text"].text == "x3-net");
  CHECK(s["text"].quoted);
  REQUIRE(s["list"].kind == compiler::Node::Kind::sequence);
  CHECK(s["list"].items[1].text == "28");
  CHECK(s["nested"].text == "7");
  CHECK(s["quoted"].text == "3");
  CHECK_FALSE(s["quoted"].quoted);
  CHECK(s["literal"].text == "${a} $5");
  CHECK(s["string"].quoted);
  CHECK(s["x-own"].text == "${nothing}");
  CHECK(s["flow"].entries[0].value.text == "4");
}

TEST_CASE("expand reports each wrong expression at its place") {
  CHECK(Substituted("variables: {epochs: 5}\na: ${epoch}\n").codes() ==
        List{"unknown-variable@epoch"});
  CHECK(Substituted("a: ${1 + nope}\n").codes() == List{"unknown-variable@nope"});
  CHECK(Substituted("variables: {a: \"${b}\", b: \"${a}\"}\n").codes() == List{"variable-cycle@a"});
  CHECK(Substituted("variables: {a: ${a}}\n").codes() == List{"variable-cycle@a"});
  CHECK(Substituted("a: ${1 +}\n").codes() == List{"expression-syntax@}"});
  CHECK(Substituted("a: \"${1\"\n").codes() == List{"expression-syntax@${"});
  CHECK(Substituted("a: pre${1/0}\n").codes() == List{"expression-value@/"});
  CHECK(Substituted("variables: {l: [1]}\na: ${l + 1}\n").codes() == List{"expression-value@l"});
  CHECK(Substituted("variables: {l: [1]}\na: x${l}\n").codes() == List{"expression-value@l"});
  CHECK(Substituted("a: ${}\n").codes() == List{"expression-syntax@}"});
}

TEST_CASE("expand bounds copies") {
  std::string text = "variables:\n  v0: [1, 1, 1, 1, 1, 1, 1, 1, 1, 1]\n";
  for (int i = 1; i < 12; ++i) {
    auto const last = "${v" + std::to_string(i - 1) + "}";
    text += "  v" + std::to_string(i) + ": [" + last;
    for (int k = 0; k < 9; ++k) text += ", " + last;
    text += "]\n";
  }
  Substituted const s(text);
  REQUIRE(s.report.has_errors());
  CHECK(s.report.diagnostics().front().info->code == "too-large");
}
