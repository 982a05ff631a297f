// YAML as documents: every span is exactly the text it names, every bad text one diagnostic.
#include "compiler/source/read_yaml.hpp"

#include <doctest/doctest.h>

#include <random>

using namespace lbann;
using namespace lbann::compiler;

namespace {

struct YamlReading {
  Source source;
  Budget budget;
  Report report;
  std::optional<Document> document;

  explicit YamlReading(std::string text) : source{"t.yaml", std::move(text)} {
    document = read_yaml(source, 0, budget, report);
  }
  std::string text(Span span) const {
    return source.text.substr(span.begin, span.end - span.begin);
  }
  std::string code() const {
    if (report.diagnostics().empty()) return "";
    return std::string(report.diagnostics().front().info->code);
  }
  std::string at() const { return text(report.diagnostics().front().span); }
};

/// The value under `key`.
compiler::Node const& value(compiler::Node const& node, std::string_view key) {
  auto const* entry = node.find(key);
  REQUIRE(entry != nullptr);
  return entry->value;
}

}  // namespace

TEST_CASE("read_yaml gives each value the span of its text") {
  YamlReading const r(
      "a\xc3\xa4: plain text  # comment\n"
      "b: 'it''s'\n"
      "c: \"q\\\"q\"\n"
      "d: {e: [1, two words, [ ] ], f: }\n"
      "g: |\n  one\n\n  two\n"
      "h:\n  - i: 1\n    j: folded\n      here\n  - k:\n"
      "l: &x {m: 1}\n"
      "n: *x\n"
      "o: ~\n");
  REQUIRE(r.document);
  auto const& root = r.document->root;
  CHECK(r.text(root.find("a\xc3\xa4")->key_span) == "a\xc3\xa4");
  CHECK(r.text(value(root, "a\xc3\xa4").span) == "plain text");
  CHECK(value(root, "b").text == "it's");
  CHECK(r.text(value(root, "b").span) == "'it''s'");
  CHECK(value(root, "c").text == "q\"q");
  CHECK(value(root, "c").quoted);
  CHECK(r.text(value(root, "c").span) == "\"q\\\"q\"");
  CHECK(r.text(value(root, "d").span) == "{e: [1, two words, [ ] ], f: }");
  auto const& e = value(value(root, "d"), "e");
  CHECK(r.text(e.span) == "[1, two words, [ ] ]");
  CHECK(r.text(e.items[1].span) == "two words");
  CHECK(r.text(e.items[2].span) == "[ ]");
  CHECK(value(value(root, "d"), "f").kind == compiler::Node::Kind::null);
  CHECK(r.text(value(root, "g").span) == "|\n  one\n\n  two");
  CHECK(value(root, "g").text == "one\n\ntwo\n");
  auto const& h = value(root, "h");
  CHECK(r.text(h.items[0].span) == "i: 1\n    j: folded\n      here");
  CHECK(value(h.items[0], "j").text == "folded here");
  CHECK(r.text(h.items[1].find("k")->value.span) == "k");
  CHECK(r.text(value(root, "l").span) == "{m: 1}");
  CHECK(value(root, "n").span == value(root, "l").span);
  CHECK(r.text(value(root, "o").span) == "~");
  CHECK(value(root, "o").kind == compiler::Node::Kind::null);
}

TEST_CASE("read_yaml counts bytes after a byte order mark and with CRLF") {
  YamlReading const r(
      "\xef\xbb\xbf"
      "a: 1\r\nb: \"x\r\n  y\"\r\nc: z\r\n");
  REQUIRE(r.document);
  CHECK(r.text(value(r.document->root, "a").span) == "1");
  CHECK(value(r.document->root, "b").text == "x y");
  CHECK(r.text(value(r.document->root, "c").span) == "z");
}

TEST_CASE("read_yaml takes ${...} between braces") {
  YamlReading const r("a: {b: ${x + 1}, c: [${y}, ${z % 2}]}\nd: pre${x}/post\ne: \"${x}\"\n");
  REQUIRE(r.document);
  auto const& a = value(r.document->root, "a");
  CHECK(value(a, "b").text == "${x + 1}");
  CHECK(r.text(value(a, "b").span) == "${x + 1}");
  CHECK(value(a, "c").items[1].text == "${z % 2}");
  CHECK(value(r.document->root, "d").text == "pre${x}/post");
  CHECK(value(r.document->root, "e").text == "${x}");
}

TEST_CASE("read_yaml reports what cannot be read, at its place") {
  struct Case {
    std::string text, code, at;
  };
  for (auto const& [text, code, at] : std::vector<Case>{
           {"a: 1\nb: 2\na: 3\n", "duplicate-key", "a"},
           {"a: {b: 1, 'b': 3}\n", "duplicate-key", "'b'"},
           {"a: 1\n---\nb: 2\n", "several-documents", "---"},
           {"a: &x 1\nc: {<<: *x}\n", "merge-key", "1"},
           {"a: {<<: [{b: 1}, 2]}\n", "merge-key", "2"},
           {"a: {<<: {b: 1}, <<: {b: 1}}\n", "duplicate-key", "<<"},
           {"a: !foo 3\n", "unknown-tag", "!foo"},
           {"a: &x [*x]\n", "recursive-alias", "*x"},
           {"[1]: 2\n", "key-not-text", "[1]"},
           {"a:\n\tb: 1\n", "tab-indentation", "\t"},
           {std::string("a: \0b", 5), "control-character", std::string(1, '\0')},
           {"a: \xff\n", "invalid-utf8", "\xff"},
           {"\xff\xfe"
            "a",
            "invalid-utf8", "\xff"},
           {"a: \xed\xa0\x80\n", "invalid-utf8", "\xed"},
           {"a: \xc0\xaf\n", "invalid-utf8", "\xc0"},
           {"a: b: c\n", "syntax-error", ":"},
           {"a: @b\n", "syntax-error", "@"},
           {"a: [1, 2\nb: 3\n", "syntax-error", ":"},
           {"a: *b\n", "syntax-error", "*"},
           {"a: \"b\n", "syntax-error", ""},
           {"a: }\n", "syntax-error", "}"},
       }) {
    YamlReading const r(text);
    CAPTURE(text);
    CHECK_FALSE(r.document.has_value());
    CHECK(r.code() == code);
    if (!at.empty()) CHECK(r.at() == at);
  }
}

TEST_CASE("read_yaml resolves merge keys in their place, and keeps the places of what they bring") {
  YamlReading const r(
      "x: &x {a: 1, b: 2}\ny: &y {b: 3, c: 4}\n"
      "one: {d: 0, <<: *x, e: 5}\n"
      "several: {<<: [*y, *x], c: 6}\n"
      "block:\n  <<: *x\n  a: 7\n"
      "text: {\"<<\": *x}\n");
  REQUIRE(r.document);
  auto const keys = [](compiler::Node const& node) {
    std::string text;
    for (auto const& entry : node.entries) text += entry.key + "=" + entry.value.text + " ";
    return text;
  };
  auto const& root = r.document->root;
  CHECK(keys(value(root, "one")) == "d=0 a=1 b=2 e=5 ");
  CHECK(keys(value(root, "several")) == "b=3 a=1 c=6 ");
  CHECK(keys(value(root, "block")) == "b=2 a=7 ");
  CHECK(keys(value(root, "text")) == "<<= ");
  auto const* merged = value(root, "one").find("b");
  CHECK(merged->key_span == value(root, "x").find("b")->key_span);
  CHECK(r.text(merged->value.span) == "2");
}

TEST_CASE("read_yaml finds duplicates among many keys") {
  std::string text;
  for (int i = 0; i < 1000; ++i) text += "k" + std::to_string(i) + ": 1\n";
  CHECK(YamlReading(text).document.has_value());
  YamlReading const r(text + "k500: 2\n");
  CHECK(r.code() == "duplicate-key");
  CHECK(r.text(r.report.diagnostics()[0].labels[0].span) == "k500");
}

TEST_CASE("read_yaml bounds depth and aliases") {
  CHECK(YamlReading(std::string(100000, '[')).code() == "too-deep");
  CHECK(YamlReading("a: " + std::string(200, '[') + std::string(200, ']')).code() == "too-deep");
  std::string deep;
  for (int i = 0; i < 300; ++i) deep += std::string(static_cast<std::size_t>(i), ' ') + "a:\n";
  CHECK(YamlReading(deep).code() == "too-deep");
  std::string bomb = "a0: &a0 [1, 1, 1, 1, 1, 1, 1, 1, 1]\n";
  for (int i = 1; i < 12; ++i) {
    auto const last = "*a" + std::to_string(i - 1);
    bomb += "a" + std::to_string(i) + ": &a" + std::to_string(i) + " [" + last;
    for (int k = 0; k < 8; ++k) bomb += ", " + last;
    bomb += "]\n";
  }
  CHECK(YamlReading(bomb).code() == "too-large");
}

TEST_CASE("read_yaml survives mutations of a text, and spans stay inside of it") {
  std::string const text =
      "variables: {epochs: 5}\nmodel:\n  layers:\n    - input: {name: images}\n    - convolution:\n"
      "        name: &n conv1 # c\n        kernel_size: [5, 5]\n    - relu:\n    - t: |\n        "
      "x\n"
      "    - u: \"a\\n${epochs * 2}\"\n    - v: *n\n";
  std::mt19937 random(7);
  std::string const pieces = "{}[]:,#&*!|>'\"%@-? \n\t\r${}ab\\\x80\xc3";
  int read = 0;
  for (int round = 0; round < 20000; ++round) {
    auto mutated = text;
    for (unsigned k = 0; k <= random() % 4; ++k) {
      auto const at = random() % mutated.size();
      switch (random() % 3) {
        case 0:
          mutated[at] = pieces[random() % pieces.size()];
          break;
        case 1:
          mutated.insert(at, 1, pieces[random() % pieces.size()]);
          break;
        default:
          mutated.erase(at, 1 + random() % 5);
      }
    }
    YamlReading const r(mutated);
    REQUIRE(r.document.has_value() == r.report.diagnostics().empty());
    for (auto const& diagnostic : r.report.diagnostics()) {
      REQUIRE(diagnostic.span.end <= mutated.size() + 1);
      REQUIRE(diagnostic.span.begin <= diagnostic.span.end);
    }
    if (!r.document) continue;
    ++read;
    auto check = [&](auto const& self, compiler::Node const& node) -> void {
      REQUIRE(node.span.begin <= node.span.end);
      REQUIRE(node.span.end <= mutated.size());
      for (auto const& child : node.items) self(self, child);
      for (auto const& entry : node.entries) self(self, entry.value);
    };
    check(check, r.document->root);
  }
  CHECK(read > 100);
}
