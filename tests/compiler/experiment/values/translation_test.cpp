// Words of other frameworks: calls, tuples, paddings, and what becomes of names and values.
#include "compiler/experiment/values/translation.hpp"

#include <doctest/doctest.h>

#include <set>

#include "schemas/diagnostics/catalogue.hpp"
#include "tests/compiler/experiment/read_text.hpp"

using namespace lbann;
using namespace lbann::compiler;

namespace {

std::string taken_apart(std::optional<CallText> const& call) {
  if (!call) return "none";
  auto text = call->name;
  for (auto const& argument : call->arguments) text += "|" + argument.name + "=" + argument.value;
  return text;
}

}  // namespace

TEST_CASE("call_text takes a call of Python apart") {
  CHECK(taken_apart(call_text("torch.optim.Adam(lr=0.001, betas=(0.9, 0.99))")) ==
        "Adam|lr=0.001|betas=[0.9, 0.99]");
  CHECK(taken_apart(call_text("Conv2d(1, 6, kernel_size=[3, 3], bias=False)")) ==
        "Conv2d|=1|=6|kernel_size=[3, 3]|bias=false");
  CHECK(taken_apart(call_text("ReLU( )")) == "ReLU");
  for (auto const* text : {"relu", "(5, 5)", "f(x", "2f(x)", "a b(x)", "f(a b=1)", ")", "", "f)("})
    CHECK(taken_apart(call_text(text)) == "none");
}

TEST_CASE("a row of the table is found by a name as users write it") {
  for (auto const* name : {"Conv2d", "nn.Conv2d", "torch.nn.conv_2d", "CONV2D", "Conv2d()"}) {
    auto const rows = translations(name, {"convolution"});
    REQUIRE(rows.size() == 1);
    CHECK(rows[0]->ours == "convolution");
  }
  CHECK(translations("Conv2d", {"pooling"}).empty());
  CHECK(translations("strides", {"stride"}).front()->ours == "stride");
  CHECK(translations("strides", {"pool_strides"}).front()->ours == "pool_strides");
  CHECK(owner_of("epochs")->field == "max_epochs");
  CHECK(owner_of("callbacks")->section == "`model`");
  CHECK(owner_of("keep_prob") == nullptr);
  CHECK(translated_value("role", "val") == "validate");
  CHECK(translated_value("name", "val").empty());
}

TEST_CASE("the table says nothing twice, and nothing that nearest names would find") {
  std::set<std::pair<std::string_view, std::string_view>> seen;
  for (auto const& row : foreign_names()) {
    CAPTURE(row.theirs);
    CHECK(seen.insert({row.theirs, row.ours}).second);
    CHECK((row.ours.empty() || typing_errors(row.theirs, row.ours) > 0));
    CHECK((!row.ours.empty() || !row.note.empty()));
  }
}

TEST_CASE("tuples, paddings and removals of a mapping") {
  auto const mapping = [](std::string const& text) {
    static std::vector<Source> sources;
    Report report;
    Budget budget;
    sources = {{"e.yaml", text}};
    auto document = read_yaml(sources.front(), 0, budget, report);
    REQUIRE(document);
    return document->root;
  };
  auto const tuple = tuple_at(mapping("{a: (5, 6, 7), b: 1}"), 0);
  REQUIRE(tuple);
  CHECK(tuple->list == "[5, 6, 7]");
  CHECK(tuple->entries == 3);
  CHECK(tuple->span.end == 13);
  CHECK(tuple_at(mapping("a: (5, 6)"), 0)->list == "[5, 6]");
  for (auto const* text : {"{a: (5), b: 1}", "{a: (5, b: 1}", "{a: '(5, 6)'}", "{a: 5}", "a: (x"})
    CHECK_FALSE(tuple_at(mapping(text), 0));

  auto const padding = [&](std::string const& text) {
    auto const node = mapping(text);
    return named_padding(node, node.entries.front());
  };
  CHECK(padding("{padding: same, kernel_size: 5}") == "2");
  CHECK(padding("{padding: same, kernel_size: [3, 1], stride: 1}") == "[1, 0]");
  CHECK(padding("{padding: valid}") == "0");
  CHECK(padding("{pool_pads: same, pool_dims: 3, pool_strides: 1}") == "1");
  for (auto const* text :
       {"{padding: same, kernel_size: 4}", "{padding: same, kernel_size: 3, stride: 2}",
        "{padding: same}", "{padding: same, kernel_size: 3, dilation: 2}",
        "{pool_pads: same, pool_dims: 3}", "{name: same, kernel_size: 3}"})
    CHECK(padding(text).empty());

  for (auto const& [text, expected] :
       {std::pair("{a: 1, b: 2, c: 3}", "{b: 2, c: 3}"), std::pair("{a: 1}", "{}"),
        std::pair("a: 1\nb: 2\n", "b: 2\n")}) {
    auto const node = mapping(text);
    auto const edit = removal(node, node.entries.front());
    CHECK(std::string(text).erase(edit.span.begin, edit.span.end - edit.span.begin) == expected);
  }
  auto const node = mapping("{a: 1, b: 2}");
  CHECK(removal(node, node.entries.back()).span.begin == 5);
}
