// Parts of experiments in the notation of each syntax.
#include "compiler/diagnostics/notation.hpp"

#include <doctest/doctest.h>

#include <array>

using namespace lbann;
using namespace lbann::compiler;

namespace {

struct Case {
  std::string_view yaml, toml, prototext;
};

constexpr std::array cases = {
    Case{"learn_rate: 0.001", "learn_rate = 0.001", "learn_rate: 0.001"},
    Case{"adam: {learn_rate: 1e-3}", "adam = {learn_rate = 1e-3}", "adam { learn_rate: 1e-3 }"},
    Case{"- relu: {}", "{relu = {}}", "relu {}"},
    Case{"relu:", "relu = {}", "relu {}"},
    Case{"{a: {}}", "{a = {}}", "{ a {} }"},
    Case{"pool_mode: max", "pool_mode = \"max\"", "pool_mode: \"max\""},
    Case{"reshape: {dims: [1, 64]}", "reshape = {dims = [1, 64]}", "reshape { dims: [1, 64] }"},
    Case{"parents: [a, b]", "parents = [\"a\", \"b\"]", "parents: [\"a\", \"b\"]"},
    Case{"a: true, b: \"x y\"", "a = true, b = \"x y\"", "a: true b: \"x y\""},
    Case{"model: layers:", "model.layers", "model.layers"},
    Case{"initializer: ...", "initializer = ...", "initializer: ..."},
    Case{"layers: [{relu: {}}, {tanh: {}}]", "layers = [{relu = {}}, {tanh = {}}]",
         "layers: [{ relu {} }, { tanh {} }]"},
};

}  // namespace

TEST_CASE("what YAML says, in the other syntaxes") {
  for (auto const& each : cases) {
    CAPTURE(each.yaml);
    CHECK(fragment_in(Syntax::yaml, each.yaml) == each.yaml);
    CHECK(fragment_in(Syntax::toml, each.yaml) == each.toml);
    CHECK(fragment_in(Syntax::prototext, each.yaml) == each.prototext);
  }
}

TEST_CASE("text of another form is left alone") {
  for (std::string const text : {"relu", "3x8x8", "a: {b", "a: [1", "a b: c", "", ":", "a:b",
                                 "x[0]: 1", "a: {b: 1}}", "a: \"b", "dims: 3: 4"}) {
    CAPTURE(text);
    CHECK(!fragment_in(Syntax::toml, text));
  }
}

TEST_CASE("words keep all but what stands between backticks") {
  CHECK(words_in(Syntax::toml, "write `adam: {learn_rate: 0.1}`, below `optimizer:`: `x`") ==
        "write `adam = {learn_rate = 0.1}`, below `optimizer`: `x`");
  CHECK(words_in(Syntax::yaml, "below `optimizer:`") == "below `optimizer:`");
  CHECK(words_in(Syntax::toml, "an open ` a: 1") == "an open ` a: 1");
}
