// Protobuf's text format as a tree: every form of a field, spans, and what is refused.
#include "compiler/source/read_prototext.hpp"

#include <doctest/doctest.h>

using namespace lbann;
using namespace lbann::compiler;

namespace {

struct ProtoReading {
  Source source;
  Report report;
  std::optional<Document> document;

  explicit ProtoReading(std::string text) : source{"t.prototext", std::move(text)} {
    document = read_prototext(source, 0, report);
  }
  std::string text(Span span) const {
    return source.text.substr(span.begin, span.end - span.begin);
  }
  /// Code, place and message of the only diagnostic.
  std::string only() const {
    if (report.diagnostics().size() != 1 || document) return "not one";
    auto const& found = report.diagnostics().front();
    return std::string(found.info->code) + "@" + std::to_string(found.span.begin) + " " +
           found.message;
  }
};

/// `a="x" b={c=1 }`: keys, and values with quotes where they are texts.
std::string shown(compiler::Node const& node) {
  if (node.kind == compiler::Node::Kind::scalar)
    return node.quoted ? "\"" + node.text + "\"" : node.text;
  std::string text = "{";
  for (auto const& entry : node.entries) text += entry.key + "=" + shown(entry.value) + " ";
  return text + "}";
}

std::string tree(std::string text) {
  ProtoReading const r(std::move(text));
  return r.document ? shown(r.document->root) : "nothing";
}

}  // namespace

TEST_CASE("read_prototext reads every form of a field") {
  CHECK(tree("") == "{}");
  CHECK(tree("a: 1 b: -2.5 c: 1e-8 d: \"x\" e: SUM f: true") ==
        "{a=1 b=-2.5 c=1e-8 d=\"x\" e=SUM f=true }");
  CHECK(tree("a { b: 1 } a < b: 2 > a: { b: 3 }") == "{a={b=1 } a={b=2 } a={b=3 } }");
  CHECK(tree("a: [1, 2] b: [] c [ {d: 1}, <d: 2> ] e: ['x', \"y\"]") ==
        "{a=1 a=2 c={d=1 } c={d=2 } e=\"x\" e=\"y\" }");
  CHECK(tree("a: 1, b: 2; c: 3") == "{a=1 b=2 c=3 }");
  CHECK(tree("# first\na: 1 # second: 2\n#last") == "{a=1 }");
  CHECK(tree("p { [type.googleapis.com/lbann_data.ScaleOperator] { constant: 2 } }") ==
        "{p={[type.googleapis.com/lbann_data.ScaleOperator]={constant=2 } } }");
  CHECK(tree("a: 0x1F b: 017 c: - 3 d: 1.5f e: .5 f: -inf") ==
        "{a=31 b=15 c=-3 d=1.5 e=0.5 f=-inf }");
}

TEST_CASE("read_prototext joins adjacent strings and reads escapes") {
  CHECK(tree("a: 'one ' \"two\"\n  'three'") == "{a=\"one twothree\" }");
  CHECK(tree(R"(a: "\n\t\\\"\'\101\x41\u00e9\U0001F600")") ==
        "{a=\"\n\t\\\"'AA\xc3\xa9\xf0\x9f\x98\x80\" }");
}

TEST_CASE("read_prototext gives fields and values the spans of their text") {
  ProtoReading const r("layer {\n  name: \"\xc3\xa4\" 'b'\n  relu { }\n  dims: [1, 22]\n}");
  REQUIRE(r.document);
  auto const& layer = r.document->root.entries.front();
  CHECK(r.text(layer.key_span) == "layer");
  CHECK(r.text(layer.value.span).front() == '{');
  CHECK(r.text(layer.value.span).back() == '}');
  auto const& fields = layer.value.entries;
  CHECK(r.text(fields[0].value.span) == "\"\xc3\xa4\" 'b'");
  CHECK(r.text(fields[1].value.span) == "{ }");
  CHECK(r.text(fields[2].key_span) == "dims");
  CHECK(r.text(fields[3].value.span) == "22");
}

TEST_CASE("read_prototext refuses what is not the text format, at the place") {
  CHECK(ProtoReading("a: 1\nb 2").only() == "syntax-error@6 a `:` or a `{` is missing behind `b`");
  CHECK(ProtoReading("a {").only() == "syntax-error@3 the block is not closed");
  CHECK(ProtoReading("a: \"x\nb: 1").only() == "syntax-error@3 the quoted text is not closed");
  CHECK(ProtoReading("a: ").only() == "syntax-error@3 a value is expected here");
  CHECK(ProtoReading("a: [1 2]").only() ==
        "syntax-error@6 a `,` or `]` is missing before this place");
  CHECK(ProtoReading("a: 1.2.3").only() == "syntax-error@3 `1.2.3` is not a number");
  CHECK(ProtoReading("a: \"\\q\"").only() ==
        "syntax-error@4 there is no such escape in a quoted text");
  CHECK(ProtoReading("}").only() == "syntax-error@0 a field is expected here");
  CHECK(ProtoReading("[x {}").only() == "syntax-error@0 the name in brackets is not closed");
  CHECK(ProtoReading("a: \"\xff\"").only().starts_with("invalid-utf8@4"));
  std::string deep;
  for (int i = 0; i < 10000; ++i) deep += "a {";
  CHECK(ProtoReading(deep).only().starts_with("too-deep@"));
}
