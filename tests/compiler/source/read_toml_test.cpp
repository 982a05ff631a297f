// TOML as documents: order of the text, spans in bytes, and what is refused.
#include "compiler/source/read_toml.hpp"

#include <doctest/doctest.h>

using namespace lbann;
using namespace lbann::compiler;

namespace {

struct TomlReading {
  Source source;
  Report report;
  std::optional<Document> document;

  explicit TomlReading(std::string text) : source{"t.toml", std::move(text)} {
    document = read_toml(source, 0, report);
  }
  std::string text(Span span) const {
    return source.text.substr(span.begin, span.end - span.begin);
  }
  std::string code() const {
    return report.diagnostics().size() == 1 && !document
               ? std::string(report.diagnostics().front().info->code)
               : "not one";
  }
  std::size_t at() const { return report.diagnostics().front().span.begin; }
};

compiler::Node const& under(compiler::Node const& node, std::string_view key) {
  auto const* entry = node.find(key);
  REQUIRE(entry != nullptr);
  return entry->value;
}

std::string keys(compiler::Node const& node) {
  std::string text;
  for (auto const& entry : node.entries) text += entry.key + " ";
  return text;
}

}  // namespace

TEST_CASE("read_toml keeps the order of the text") {
  TomlReading const r(
      "z = 1\n[trainer]\nmini = 2\nbatch = 3\n[model]\nname = 'm'\n[[model.layers]]\ninput = {b = "
      "1, a = 2}\n"
      "[[model.layers]]\nrelu = {}\n[model.amp]\nx.y = 1\nx.b = 2\n[data]\n");
  REQUIRE(r.document);
  auto const& root = r.document->root;
  CHECK(keys(root) == "z trainer model data ");
  CHECK(keys(under(root, "trainer")) == "mini batch ");
  auto const& model = under(root, "model");
  CHECK(keys(model) == "name layers amp ");
  auto const& layers = under(model, "layers");
  REQUIRE(layers.kind == compiler::Node::Kind::sequence);
  REQUIRE(layers.items.size() == 2);
  CHECK(keys(under(layers.items[0], "input")) == "b a ");
  CHECK(under(layers.items[1], "relu").kind == compiler::Node::Kind::mapping);
  CHECK(keys(under(under(model, "amp"), "x")) == "y b ");
}

TEST_CASE("read_toml gives keys and values the spans of their bytes") {
  TomlReading const r(
      "\xef\xbb\xbf# \xc3\xa4\xf0\x9f\x98\x80\r\n'\xc3\xa4 b' = \"\xc3\xb6\\n\" # x\r\nlist = [ "
      "1_000, 0x1f, \xe2\x80\xa6]"
      "");
  CHECK(r.code() == "syntax-error");  // the ellipsis
  TomlReading const good(
      "\xef\xbb\xbf# \xc3\xa4\xf0\x9f\x98\x80\r\n'\xc3\xa4 b' = \"\xc3\xb6\\n\" # x\r\nlist = [ "
      "1_000, "
      "0x1f,\n  'two words', true, 1_0.5e-3]\nt = {a = 1}\n");
  REQUIRE(good.document);
  auto const& root = good.document->root;
  CHECK(good.text(root.entries[0].key_span) == "'\xc3\xa4 b'");
  CHECK(root.entries[0].key == "\xc3\xa4 b");
  CHECK(good.text(root.entries[0].value.span) == "\"\xc3\xb6\\n\"");
  CHECK(root.entries[0].value.text == "\xc3\xb6\n");
  CHECK(root.entries[0].value.quoted);
  auto const& list = under(root, "list");
  CHECK(good.text(list.span).front() == '[');
  CHECK(good.text(list.span).back() == ']');
  CHECK(list.items[0].text == "1000");
  CHECK(good.text(list.items[0].span) == "1_000");
  CHECK(list.items[1].text == "31");
  CHECK(good.text(list.items[2].span) == "'two words'");
  CHECK(list.items[3].text == "true");
  CHECK_FALSE(list.items[3].quoted);
  CHECK(list.items[4].text == "10.5e-3");
  CHECK(good.text(under(root, "t").span) == "{a = 1}");
}

TEST_CASE("read_toml refuses at the place") {
  TomlReading const twice("a = 1\nb = 2\na = 3\n");
  CHECK(twice.code() == "duplicate-key");
  CHECK(twice.at() >= 12);
  CHECK(TomlReading("a = \n").code() == "syntax-error");
  CHECK(TomlReading("a = 2026-11-21\n").code() == "syntax-error");
  CHECK(TomlReading("a = \"\xff\"").code() == "invalid-utf8");
  CHECK(TomlReading("a = " + std::string(10000, '[')).code() == "too-deep");
  std::string dotted = "a";
  for (int i = 0; i < 2000; ++i) dotted += ".a";
  CHECK(TomlReading(dotted + " = 1").code() == "too-deep");
}
