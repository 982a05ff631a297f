// LBANN's messages as documents of the language: forms, defaults, warnings, places.
#include "compiler/importer/import_prototext.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <sstream>

#include "compiler/compile.hpp"
#include "compiler/diagnostics/formats/format.hpp"
#include "compiler/diagnostics/render.hpp"
#include "compiler/importer/message_keys.hpp"
#include "compiler/importer/prototext_rules.hpp"

using namespace lbann;
using namespace lbann::compiler;

namespace {

Declarations const& all_types() {
  static Declarations const instance;
  return instance;
}

/// What `--emit yaml` gives for messages, and the codes of what was reported.
struct Imported {
  Compiled compiled;

  explicit Imported(std::vector<std::string> texts) {
    CompileOptions options;
    options.name = "a.prototext";
    options.text = texts.front();
    for (std::size_t i = 1; i < texts.size(); ++i)
      options.further.push_back({"b.prototext", texts[i]});
    options.emit = "yaml";
    compiled = compile(options, all_types());
  }
  std::string codes() const {
    std::string text;
    for (auto const* found : compiled.report.sorted()) {
      auto const& source = compiled.sources[found->span.file].text;
      text += std::string(found->info->code) + "@" +
              source.substr(found->span.begin, found->span.end - found->span.begin) + " ";
    }
    return text;
  }
  /// What is said, without places, help and what follows in the text.
  std::string notes() const {
    std::string text;
    for (auto const& finding : findings(compiled.report, compiled.sources))
      text += finding.diagnostic.message +
              (finding.times > 1 ? " x" + std::to_string(finding.times) : "") + "\n";
    return text;
  }
  bool says(std::string_view line) const { return compiled.dump.find(line) != std::string::npos; }
};

std::string prototext_with(std::string const& layers, std::string const& rest = {}) {
  return "trainer { mini_batch_size: 2 }\n"
         "data_reader { reader { name: \"synthetic\" role: \"train\" num_samples: 8 "
         "synth_dimensions: \"2 3\" } }\n"
         "model { layer { name: \"x\" input { data_field: \"samples\" } } " +
         layers + " }\n" + rest;
}

}  // namespace

TEST_CASE("any_key gives what LBANN calls a message") {
  CHECK(any_key("safe_divide") == "[type.googleapis.com/lbann_data.SafeDivideOperator]");
  CHECK(any_key("log1p") == "[type.googleapis.com/lbann_data.Log1pOperator]");
  CHECK(any_key("sgd") == "[type.googleapis.com/lbann_data.SGD]");
  CHECK(any_key("random_pairwise_exchange") ==
        "[type.googleapis.com/lbann_data.RandomPairwiseExchange]");
}

TEST_CASE("keys that LBANN's messages do not have are told by LBANN's names") {
  Imported const r(
      {prototext_with("layer { nmae: \"f\" parents: \"x\" fully_conected { num_neurons: 2 } }"
                      "layer { name: \"g\" parents: \"x\" fully_connected { num_neuron: 2 } }"
                      "layer { name: \"h\" parents: \"x\" operator_layer { ops { parameters { "
                      "[type.googleapis.com/lbann_data.AddOprator] {} } } } }"
                      "calback { timer {} } callbacks { timer {} }")});
  std::string suggestions;
  for (auto const* found : r.compiled.report.sorted())
    suggestions += (found->suggestions.empty() ? "-" : found->suggestions.front()) + " ";
  CHECK(suggestions ==
        "name fully_connected num_neurons [type.googleapis.com/lbann_data.AddOperator] "
        "callback callback ");
}

TEST_CASE("event files lie where the summarizer says, and images are chosen by fields") {
  std::string const chosen =
      "callback { summarize_images { image_source_layer_name: \"x\" selection_strategy { "
      "categorical_accuracy { accuracy_layer_name: \"a\" match_type: MATCH num_images_per_epoch: 3 "
      "} } } }";
  std::string const followed =
      "callback { summarize_images { image_source_layer_name: \"x\" epoch_interval: 2 "
      "selection_strategy { track_sample_ids { input_layer_name: \"x\" num_tracked_images: 4 } } } "
      "}";
  auto const import = [](std::string const& rest) {
    return Imported({prototext_with("", "model { " + rest + " }")});
  };
  auto const both = import("summarizer { dir: \"seen\" } callback { summary {} } " + chosen);
  CHECK(both.codes() == "");
  CHECK(both.says("- summary: {mat_interval: 0, dir: seen}"));
  for (auto const* line :
       {"- summarize_images:\n", "image_source_layer_name: x\n", "accuracy_layer_name: a\n",
        "match_type: match\n", "num_images: 3\n", "  dir: seen\n"})
    CHECK(both.says(line));
  auto const ids = import(followed);
  CHECK(ids.codes() == "no-effect@\"x\" ");
  CHECK(ids.says("num_images: 4"));
  CHECK(ids.says("epoch_interval: 2"));
  CHECK(import("summarizer { dir: \"seen\" }").codes() == "no-effect@summarizer ");
  CHECK(import("summarizer {} callback { summary {} }").says("- summary: {mat_interval: 0}"));
  CHECK(import("summarizer { folder: \"seen\" } callback { summary {} }").codes() ==
        "unknown-field@folder ");
  CHECK(import("summarizer: 3").codes() == "wrong-type@3 ");
}

TEST_CASE("fields of a misspelt type are looked at, too") {
  Imported const r(
      {prototext_with("layer { name: \"f\" parents: \"x\" fully_conected { num_neuron: 2 } }"
                      "layer { name: \"p\" parents: \"x\" permut { axis: 2 } }"
                      "layer { name: \"q\" parents: \"x\" something_else { axis: 2 } }"
                      "callback { tmer { skip_step: 3 } }")});
  CHECK(
      r.codes() ==
      "unknown-type@fully_conected unknown-field@num_neuron unknown-type@permut "
      "unknown-field@axis unknown-type@something_else unknown-type@tmer unknown-field@skip_step ");
}

TEST_CASE("help is that for messages") {
  Imported const r({prototext_with("layer { name: \"r\" parents: \"x\" relu { slope: 1 } }")});
  CHECK(r.codes() == "unknown-field@slope ");
  std::vector<CheckedExperiment> const told = {
      {"odd", located_findings(r.compiled.report, r.compiled.sources)}};
  auto const words = render(r.compiled.report, r.compiled.sources, false);
  for (auto const& text : {words, formatted(Format::json, told), formatted(Format::github, told)}) {
    CHECK(text.find("remarks of your own are comments, `# ...`.") != std::string::npos);
    CHECK(text.find("x-") == std::string::npos);
  }
}

TEST_CASE("import_prototext writes layers, wrapped values, short forms and operators") {
  Imported const r({prototext_with(
      "layer { name: \"c\" parents: \"x\" children: \"p\" convolution { num_dims: 1 out_channels: "
      "4 "
      "kernel_size: 3 padding: 1 groups { value: 1 } has_bias { } } }"
      "layer { name: \"p\" pooling { pool_mode: \"average\" num_dims: 1 pool_dims_i: 3 "
      "pool_strides_i: 1 } }"
      "layer { name: \"a\" parents: \"p c\" operator_layer { ops { parameters { "
      "[type.googleapis.com/lbann_data.ScaleOperator] { constant: 2.5 } } } } }"
      "layer { name: \"f\" parents: \"c\" fully_connected { num_neurons: 2 } }")});
  CHECK(r.codes() == "");
  CHECK(
      r.says("- convolution:\n        name: c\n        children: p\n"
             "        out_channels: 4\n        kernel_size: 3\n        padding: 1\n"
             "        has_bias: false\n"));
  CHECK(r.says("- pooling: {name: p, pool_mode: average, pool_dims: 3, pool_strides: 1}"));
  CHECK(r.says("- scale: {name: a, parents: [p, c], constant: 2.5}"));
  CHECK(r.says("- fully_connected: {name: f, parents: c, num_neurons: 2, has_bias: false}"));
  CHECK(r.says("synth_dimensions: [2, 3]"));
  CHECK(r.says("num_epochs: 0"));
}

TEST_CASE("import_prototext puts the weights of a term in the order of the layers that use them") {
  Imported const r({prototext_with(
      "layer { name: \"a\" parents: \"x\" weights: \"w1 w2\" fully_connected { num_neurons: 2 "
      "has_bias: true } } weights { name: \"w2\" } weights { name: \"w1\" } "
      "objective_function { l2_weight_regularization { scale_factor: 1 weights: \"w2 w1\" } }")});
  CHECK(r.codes() == "");
  CHECK(r.says("{scale_factor: 1.0, weights: [w1, w2]}"));
}

TEST_CASE("import_prototext forgets weights that no layer uses, as LBANN does") {
  Imported const r({prototext_with(
      "layer { name: \"a\" parents: \"x\" weights: \"w\" fully_connected { num_neurons: 2 } } "
      "weights { name: \"v\" } weights { name: \"w\" }")});
  CHECK(r.codes() == "no-effect@\"v\" ");
  CHECK(r.notes() == "`weights` has no effect: no layer uses them, and LBANN forgets them\n");
  CHECK(r.says("weights: {name: w}"));
  CHECK_FALSE(r.says("name: v"));
}

TEST_CASE("import_prototext takes a parent and a child that are named twice once, as LBANN does") {
  Imported const r({prototext_with(
      "layer { name: \"a\" parents: \"x\" parents: \"x\" children: \"b\" children: \"b\" sum {} }"
      "layer { name: \"b\" reshape { dims: 6 } } layer { name: \"c\" parents: \"b x b\" sum {} "
      "}")});
  CHECK(r.codes() == "no-effect@x no-effect@b no-effect@b ");
  CHECK(r.notes() ==
        "`x` has no effect: LBANN takes a layer that is named twice among `parents` once\n"
        "`b` has no effect: LBANN takes a layer that is named twice among `children` once\n"
        "`b` has no effect: LBANN takes a layer that is named twice among `parents` once\n");
  CHECK(r.says("- sum: {name: a, children: b}"));
  CHECK(r.says("- sum: {name: c, parents: [b, x]}"));
}

TEST_CASE("import_prototext keeps the first weights of layers without a bias, as LBANN does") {
  std::string const weights = " weights { name: \"w\" } weights { name: \"v\" }";
  auto const layer = [&](std::string const& type) {
    return Imported(
        {prototext_with("layer { name: \"a\" parents: \"x\" weights: \"w\" weights: \"v\" " + type +
                        " }" + weights)});
  };
  auto const kept =
      layer("convolution { num_dims: 1 out_channels: 2 kernel_size: 3 has_bias { } }");
  CHECK(kept.codes() == "no-effect@v no-effect@\"v\" ");
  CHECK(kept.says("weights: {name: w}"));
  CHECK_FALSE(kept.says("name: v"));
  CHECK(layer("fully_connected { num_neurons: 2 }").codes() == "no-effect@v no-effect@\"v\" ");
  CHECK(layer("fully_connected { num_neurons: 2 has_bias: true }").codes() == "");
  // This layer LBANN refuses.
  CHECK(layer("channelwise_fully_connected { output_channel_dims: 2 bias { } }").codes() == "");
}

TEST_CASE("fields that a reader of LBANN's does not read are told once") {
  std::string const reader =
      "reader { name: \"csv\" data_filename: \"a.csv\" separator: \",\" "
      "num_neighbors: 1 synth_dimensions: \"2\" num_layers: 2 role: ";
  Imported const r({"trainer { mini_batch_size: 2 } data_reader { " + reader + "\"train\" } " +
                    reader + "\"test\" } } model { }"});
  CHECK(
      r.notes().starts_with("`num_neighbors` has no effect: `csv` does not read it x2\n"
                            "`synth_dimensions` has no effect: `csv` does not read it x2\n"
                            "`num_layers` is not a field of `csv`\n"));
  auto const text = render(r.compiled.report, r.compiled.sources, false);
  CHECK(text.find("note: the same at 1 other place\n") != std::string::npos);
}

TEST_CASE("import_prototext says what LBANN stops without") {
  Imported const r({prototext_with("layer { name: \"y\" input { } }")});
  CHECK(r.codes() == "missing-for-lbann@input ");
  CHECK(r.compiled.report.diagnostics().front().suggestions.front() ==
        "input { data_field: \"samples\" }");
  CHECK(r.says("- input: {name: \"y\", data_field: samples}"));
  CHECK(Imported({"trainer { mini_batch_size: 2 } data_reader { reader { name: \"numpy_npz\" role: "
                  "\"train\" } } model { layer { input { data_field: \"samples\" } } }"})
            .notes() == "without `data_filename` LBANN stops; so will a run of this plan\n");
}

TEST_CASE("zeros that are written are meant, and those that do nothing are left out") {
  auto const adam = [](std::string const& fields) {
    return Imported({prototext_with("", "optimizer { adam { learn_rate: 0.1 " + fields + " } }")});
  };
  CHECK(adam("beta2: 0.9 eps: 1e-8").codes() == "");  // without momentum, which may be meant
  CHECK(adam("beta2: 0.9 eps: 1e-8").says("beta1: 0"));
  CHECK(adam("beta1: 0.9 beta2: 0 eps: 0").codes() == "");
  CHECK(adam("beta1: 0.9").codes() == "zero-by-default@adam zero-by-default@adam ");
  Imported const r({prototext_with(
      "callback { drop_fixed_learning_rate { drop_epoch: 0 drop_epoch: 3 amt: 0.1 } }"
      "callback { drop_fixed_learning_rate { drop_epoch: 0 amt: 0.1 } }")});
  CHECK(r.notes() ==
        "`0 in `drop_epoch`` has no effect: epochs that have ended are counted from 1 x2\n");
  CHECK(r.says("drop_epoch: 3"));
}

TEST_CASE("import_prototext takes long lists of numbers wherever they stand") {
  std::string numbers, list;
  for (int i = 0; i < 40; ++i) numbers += "values: " + std::to_string(i % 3) + " ";
  for (int i = 0; i < 40; ++i) list += (i > 0 ? ", " : "") + std::to_string(i % 3) + ".5";
  auto const with = [&](std::string const& values) {
    return Imported({prototext_with(
        "layer { name: \"w\" weights: \"v\" weights_layer { dims: 81 } } weights { name: \"v\" "
        "initializer { value_initializer { " +
        values + " } } }")});
  };
  auto const r = with(numbers + "values: [" + list + "] values: 7");
  CHECK(r.codes() == "");
  CHECK(r.says(" 0.0, 1.0, 2.0, 0.0,"));
  CHECK(r.says(" 2.5, 0.5, 7.0]"));
  CHECK(with(numbers + "values: x").codes() == "wrong-type@x ");
  std::string dims, names;
  for (int i = 0; i < 40; ++i) dims += "dims: 1 ", names += "name: 1 ";
  CHECK(Imported({prototext_with("layer { name: \"r\" parents: \"x\" reshape { " + dims + "} }")})
            .says("dims: [{repeat: {times: 40, entries: [1]}}]"));
  CHECK(Imported({prototext_with("layer { parents: \"x\" " + names + " relu { } }")}).codes() ==
        "duplicate-key@1 ");
  CHECK(Imported({prototext_with("layer { name: \"r\" parents: \"x\" reshape { " + dims +
                                 "dims: 1.5 } }")})
            .codes() == "wrong-type@1.5 ");
}

TEST_CASE("a layer's name that is used twice is the only error") {
  CompileOptions options;
  options.name = "a.prototext";
  options.text = prototext_with(
      "layer { name: \"a\" parents: \"x\" relu {} } layer { name: \"a\" parents: \"x\" relu {} }"
      "layer { name: \"b\" parents: \"a\" children: \"a\" relu {} }");
  auto const compiled = compile(options, all_types());
  REQUIRE(compiled.report.diagnostics().size() == 1);
  CHECK(compiled.report.diagnostics().front().info->code == "duplicate-layer");
}

TEST_CASE("import_prototext takes numbers of enumerations, and of type float what a float holds") {
  Imported const r({prototext_with(
      "layer { name: \"a\" parents: \"x\" datatype: 2 relu {} }"
      "layer { name: \"w\" weights: \"v\" weights_layer { dims: 3 } } weights { name: \"v\" "
      "initializer { value_initializer { values: 0.1 values: 0.123456789012 values: 16777217 } } }"
      "layer { name: \"u\" weights: \"d\" weights_layer { dims: 1 } } weights { name: \"d\" "
      "initializer { value_initializer { values_d: 0.123456789012 } } }")});
  CHECK(r.codes() == "");
  CHECK(r.says("- relu: {name: a, datatype: double}"));
  CHECK(r.says("values: [0.1, 0.12345679, 16777216.0"));
  CHECK(r.says("values: 0.123456789012"));
}

TEST_CASE("words that YAML reads in two ways are texts in messages") {
  Imported const r(
      {prototext_with("layer { name: \"f\" parents: \"x\" fully_connected { "
                      "num_neurons: 2 has_bias: yes } }")});
  CHECK(r.codes() == "wrong-type@yes ");
}

TEST_CASE("import_prototext knows layers by other names, and types of operators") {
  Imported const r({prototext_with(
      "layer { name: \"t\" parents: \"x\" permute { axes: 1 axes: 0 } }"
      "layer { name: \"a\" parents: \"t\" operator_layer { ops { input_datatype: FLOAT "
      "output_datatype: FLOAT parameters { [type.googleapis.com/lbann_data.ScaleOperator] { "
      "constant: 2.5 } } } } }")});
  CHECK(r.codes() == "");
  CHECK(r.says("- tensor_permute: {name: t, axes: [1, 0]}"));
  CHECK(r.says("datatype: float"));
}

TEST_CASE("import_prototext takes the one type of an operator and its layer") {
  auto const typed = [](std::string const& layer, std::string const& in, std::string const& out) {
    return Imported({prototext_with(
        "layer { name: \"a\" parents: \"x\" datatype: " + layer +
        " operator_layer { ops { input_datatype: " + in + " output_datatype: " + out +
        " parameters { [type.googleapis.com/lbann_data.AbsOperator] { } } } } }")});
  };
  auto const none = "DEFAULT_DATATYPE";
  CHECK(typed(none, none, none).codes() == "");
  CHECK_FALSE(typed(none, none, none).says("datatype"));
  CHECK(typed(none, none, "DOUBLE").says("- abs: {name: a, datatype: double}"));
  CHECK(typed("DOUBLE", none, "DOUBLE").says("- abs: {name: a, datatype: double}"));
  CHECK(typed("DOUBLE", "DOUBLE", "FLOAT").codes() == "contradicting-fields@FLOAT ");
  CHECK(typed(none, "FLOAT", "DOUBLE").codes() == "contradicting-fields@DOUBLE ");
}

TEST_CASE("import_prototext takes LBANN's defaults, and warns of nonsense") {
  Imported const r(
      {prototext_with("layer { parents: \"x\" leaky_relu { negative_slope: 0 } } "
                      "layer { name: \"d\" parents: \"layer2\" l2_norm2 {} }"
                      "objective_function { layer_term { layer: \"d\" } }"
                      "layer { parents: \"x\" weights: \"n u\" fully_connected { num_neurons: 2 "
                      "has_bias: true } }"
                      "weights { name: \"n\" initializer { normal_initializer { mean: 2 } } }"
                      "weights { name: \"u\" initializer { uniform_initializer { min: 0 } } }",
                      "optimizer { adam { learn_rate: 0.1 beta1: 0.9 } }")});
  CHECK(r.codes() == "zero-by-default@layer_term zero-by-default@adam zero-by-default@adam ");
  CHECK(r.says("- leaky_relu: {name: layer2}"));
  CHECK(r.says("- layer_term: {layer: d, scale_factor: 0"));
  CHECK(r.says("adam: {learn_rate: 0.1, beta2: 0"));
  CHECK(r.says("normal_initializer: {mean: 2"));
  CHECK(r.says("standard_deviation: 0"));
  CHECK(r.says("uniform_initializer:"));
  CHECK_FALSE(r.says("min:"));
}

TEST_CASE("import_prototext joins several files, and names places in each") {
  Imported const r(
      {"model { layer { name: \"x\" input { data_field: \"samples\" } } }",
       "data_reader { reader { name: \"synthetic\" role: \"train\" num_samples: 8 "
       "synth_dimensions: \"2\" shufle: true } }",
       "trainer { mini_batch_size: 2 } model { layer { name: \"y\" parents: \"x\" sgima {} } }"});
  CHECK(r.codes() == "unknown-field@shufle unknown-type@sgima ");
}

TEST_CASE("import_prototext reports what cannot be translated") {
  CHECK(Imported({prototext_with("layer { name: \"y\" }")}).codes() == "missing-field@layer ");
  Imported const scalars(
      {prototext_with("layer: 3 callback: \"timer\" metric { } callback { } "
                      "weights: 1 objective_function: 2",
                      "optimizer: \"sgd\" data_set_metadata: 4")});
  CHECK(scalars.codes() ==
        "wrong-type@3 wrong-type@\"timer\" missing-field@metric missing-field@callback "
        "wrong-type@1 wrong-type@2 wrong-type@\"sgd\" wrong-type@4 ");
  CHECK(scalars.notes().starts_with("`layer` must be a message, `layer { ... }`, not `3`\n"));
  CHECK(Imported({prototext_with("layer { name: \"y\" parents: \"x\" relu: 1 }")}).codes() != "");
  CHECK(
      Imported({prototext_with("layer { name: \"y\" parents: \"x\" relu {} tanh {} }")}).codes() ==
      "unknown-field@tanh ");
  CHECK(Imported({prototext_with("layer { name: \"y\" name: \"z\" parents: \"x\" relu {} }")})
            .codes() == "duplicate-key@name ");
  CHECK(
      Imported({"trainer { mini_batch_size: 1 } model { } data_reader { reader { role: \"train\" } "
                "max_par_io_size: 3 }"})
          .codes()
          .find("missing-field@reader no-effect@max_par_io_size") != std::string::npos);
}

TEST_CASE("every operator of LBANN is a layer") {
  std::istringstream operators(R"(
      LogicalNot Abs Negative Sign Round Ceil Floor Reciprocal Square Sqrt Rsqrt SafeReciprocal Exp
      Expm1 Log Log1p Cos Sin Tan Acos Asin Atan Cosh Sinh Tanh Acosh Asinh Atanh Erf ErfInv Gelu
      Add Subtract Multiply Divide Mod Pow SafeDivide SquaredDifference Max Min Equal NotEqual Less
      LessEqual Greater GreaterEqual LogicalAnd LogicalOr LogicalXor LogSigmoid LogSoftmax Selu
      Sigmoid Softplus Softsign BinaryCrossEntropy SigmoidBinaryCrossEntropy BooleanAccuracy
      BooleanFalseNegative BooleanFalsePositive Clamp Select AddConstant Scale SubtractConstant
      ConstantSubtract MaxConstant MinConstant NotEqualConstant EqualConstant LessEqualConstant
      LessConstant GreaterEqualConstant GreaterConstant)");
  std::size_t count = 0;
  for (std::string name; operators >> name; ++count) {
    auto const message = "[type.googleapis.com/lbann_data." + name + "Operator]";
    auto const& layers = all_types().layer_list;
    auto const layer = std::find_if(layers.begin(), layers.end(), [&](DeclarationType const* type) {
      return is_operator(type->name) && any_key(type->name) == message;
    });
    REQUIRE_MESSAGE(layer != layers.end(), message);
    auto const& fields = (*layer)->fields;
    bool const has_constant = fields.size() == 1 && fields[0].name == "constant";
    CHECK_MESSAGE(has_constant == (name.find("Constant") != name.npos || name == "Scale"), message);
  }
  CHECK(count == 75);
}

TEST_CASE("sigmoids of LBANN keep within bounds") {
  Imported const r(
      {prototext_with("layer { name: \"s\" parents: \"x\" operator_layer { ops { parameters { "
                      "[type.googleapis.com/lbann_data.SigmoidOperator] {} } } } }")});
  CHECK(r.codes() == "");
  CHECK(r.says("cutoff: true"));
}
