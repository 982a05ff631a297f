// Reference pages: every declaration says what it computes, every example of a layer is right.
#include "compiler/reference/pages.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <set>
#include <type_traits>

#include "compiler/compile.hpp"
#include "compiler/reference/layer_example.hpp"
#include "compiler/reference/layer_section.hpp"
#include "schemas/operators/formulas.hpp"
#include "schemas/operators/operators.hpp"

using namespace lbann;
using namespace lbann::compiler;

namespace {

Declarations const& declarations() {
  static Declarations const all;
  return all;
}

Compiled compiled(LayerType const& type, std::string const& text) {
  CompileOptions options;
  options.name = std::string(type.declaration.name) + ".yaml";
  options.text = text;
  return compile(options, declarations());
}

std::string messages(Report const& report) {
  std::string text;
  for (auto const& diagnostic : report.diagnostics()) text += diagnostic.message + "\n";
  return text;
}

}  // namespace

TEST_CASE("every layer has shapes and a formula") {
  for (auto const* type : declarations().layers.all()) {
    CAPTURE(type->declaration.name);
    CHECK(!layer_formula(*type).empty());
    CHECK((type->expression != nullptr || !type->shapes.empty()));
  }
}

TEST_CASE("every layer that users can write has an example of it, which compiles to a plan") {
  for (auto const* declaration : declarations().layer_list) {
    auto const& type = *declarations().layers.find(declaration->name);
    CAPTURE(declaration->name);
    auto const entries = example_entries(type);
    CHECK(entries.find("- " + std::string(declaration->name) + ":") != std::string::npos);
    auto const outcome = compiled(type, example_experiment(type));
    CHECK(messages(outcome.report) == "");
    CHECK(outcome.plan.has_value());
    CHECK(!outcome.internal_error.has_value());
  }
}

TEST_CASE("examples compile with their gradients") {
  for (auto const* declaration : declarations().layer_list) {
    auto const& type = *declarations().layers.find(declaration->name);
    CAPTURE(declaration->name);
    auto const example = compile_example(type, declarations());
    CHECK(example.diagnostics == std::vector<std::string>{});
    auto const output = std::ranges::find(example.tensors, "output", &ExampleTensor::kind);
    if (type.children.most == 0) {
      CHECK(output == example.tensors.end());
      continue;
    }
    REQUIRE(output != example.tensors.end());
    auto const outcome = compiled(type, example_experiment(type, output->name));
    CAPTURE(messages(outcome.report));
    CHECK(!outcome.report.has_errors());
    CHECK(outcome.plan.has_value());
  }
}

TEST_CASE("every layer computes in a type of its own, whatever that of its inputs and weights") {
  auto const replace = [](std::string& text, std::string const& what, std::string const& with) {
    auto const at = text.find(what);
    REQUIRE(at != std::string::npos);
    text.replace(at, what.size(), with);
  };
  for (auto const* declaration : declarations().layer_list) {
    auto const& type = *declarations().layers.find(declaration->name);
    auto const example = compile_example(type, declarations());
    auto const output = std::ranges::find(example.tensors, "output", &ExampleTensor::kind);
    if (output == example.tensors.end()) continue;
    CAPTURE(declaration->name);
    for (auto const& [others, own] : {std::pair("float", "double"), std::pair("double", "float")}) {
      auto text = example_experiment(type, output->name);
      // Inputs that are trained, so that gradients are converted too.
      for (auto const& tensor : example.tensors)
        if (tensor.kind == "input")
          replace(text, "- input: {name: " + tensor.name + ", data_field: " + tensor.name + "}",
                  "- weights_layer: {name: " + tensor.name + ", dims: " + to_text(tensor.dims) +
                      ", datatype: " + others + "}");
      replace(text, "  layers:\n",
              "  datatype: " + std::string(others) + "\n  settings: {\"*\": {datatype: " + own +
                  "}}\n  layers:\n");
      auto const outcome = compiled(type, text);
      CAPTURE(messages(outcome.report));
      CHECK(!outcome.internal_error.has_value());
      CHECK(outcome.plan.has_value());
    }
  }
}

TEST_CASE("sections show the example and what comes of it") {
  auto const section = layer_section(*declarations().layers.find("convolution"), declarations());
  for (auto const* part :
       {"## convolution\n", "x [c, n...] -> y [out_channels, m...]", "`stride`",
        "```yaml\n- convolution: {name: conv", "| input `x` | [3, 32, 32] |",
        "| output `conv` | [16, 16, 16] |",
        "| weights `conv_kernel` | [16, 3, 5, 5] | he_normal_initializer, fan_in 75, fan_out 400 |",
        "| weights `conv_bias` | [16] | constant_initializer, value 0 |"})
    CHECK_MESSAGE(section.find(part) != std::string::npos, section);
  auto const& families = declarations().layers.families();
  CHECK(std::ranges::find(families, "Maps that learn") != families.end());
  CHECK(page("layers/maps_that_learn", declarations())->find(section) != std::string::npos);
  CHECK(explain("convolution", declarations()) == section);
  CHECK(page("layers", declarations())
            ->find("[`convolution`](layers/maps_that_learn.md#convolution)") != std::string::npos);
}

TEST_CASE("formulas of layers that are one expression come from it") {
  auto const formula = [](std::string_view name) {
    return layer_formula(*declarations().layers.find(name));
  };
  CHECK(formula("add") == "z = x + y\ndx = dz\ndy = dz");
  CHECK(formula("scale") == "y = x * constant\ndx = dy * constant");
  CHECK(formula("stop_gradient") == "y = stop_gradient(x)\ndx = 0");
  CHECK(formula("less_constant") == "y = [x < constant]\ndx = 0");
}

TEST_CASE("operators, optimizers and initializers have formulas") {
  auto const formulas = operator_formulas();
  CHECK(formulas.size() == describe_operators().size());
  for (auto const formula : formulas) CHECK(formula.find("->") != std::string_view::npos);
  for (auto const* list : {&declarations().optimizer_list, &declarations().initializer_list})
    for (auto const* type : *list) {
      CAPTURE(type->name);
      CHECK(!type->formula.empty());
    }
}

TEST_CASE("callbacks that follow a formula say it") {
  std::set<std::string_view> following;
  for (auto const* type : declarations().callback_list) {
    auto const shown = explain(type->name, declarations()).find("```text\n") != std::string::npos;
    CAPTURE(type->name);
    CHECK(shown == !type->formula.empty());
    if (shown) following.insert(type->name);
  }
  for (auto const& type : declarations().callbacks.all())
    if (type.groups != nullptr && !type.takes_turns)
      CHECK_MESSAGE(following.contains(type.declaration.name), std::string(type.declaration.name));
  for (auto const* name : {"clip_gradient_norm", "optimizerwise_adaptive_learning_rate",
                           "perturb_weights", "early_stopping"})
    CHECK(following.contains(name));
  CHECK(page("callbacks", declarations())->find("rate = rate amt at the end of epoch e") !=
        std::string::npos);
}

TEST_CASE("explain() gives the sections of all that have a name") {
  auto const adam = explain("adam", declarations());
  CHECK(adam.starts_with("## adam\n"));
  CHECK(adam.find("m = beta1 m") != std::string::npos);
  CHECK(explain("no such thing", declarations()).empty());
  for (auto const name : explained_names(declarations()))
    CHECK_MESSAGE(!explain(name, declarations()).empty(), std::string(name));
}

TEST_CASE("every page that is named exists") {
  for (auto const& name : page_names(declarations()))
    CHECK_MESSAGE(page(name, declarations()).has_value(), name);
  CHECK(!page("layers/none", declarations()));
}
