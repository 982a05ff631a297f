// What is declared but not built, what has no effect, and declarations inside of declarations.
#include "compiler/experiment/reading/unsupported.hpp"

#include <doctest/doctest.h>

#include "compiler/experiment/sections.hpp"
#include "tests/compiler/experiment/read_text.hpp"

using namespace lbann;
using namespace lbann::compiler;

namespace {

using Words = std::vector<std::string>;

/// An experiment with lines of `trainer:`, of `model:` and of its one reader.
std::string around(std::string const& trainer, std::string const& model,
                   std::string const& reader = {}) {
  return "trainer:\n  mini_batch_size: 1\n" + trainer +
         "data_reader:\n  - synthetic: {role: train, num_samples: 4, synth_dimensions: [2]" +
         reader + "}\nmodel:\n" + model + "  layers:\n    - input: {data_field: samples}\n";
}

struct Checked {
  Reading read;
  Words unimplemented;

  explicit Checked(std::string text, bool allowed = false) : read(std::move(text)) {
    unimplemented = report_unsupported(read.experiment, allowed, read.report);
  }
};

}  // namespace

TEST_CASE("training may take no epochs, or as many as the model says") {
  Reading const none(around("  training_algorithm: {sgd: {max_epochs: 0}}\n", ""));
  CHECK(none.codes() == Words{});
  CHECK(none.experiment.training.max_epochs == 0);
  Reading const model(around("", "  num_epochs: 3\n"));
  CHECK(model.codes() == Words{});
  CHECK(model.experiment.training.max_epochs == 3);
  Reading const both(
      around("  training_algorithm: {sgd: {max_batches: 2}}\n", "  num_epochs: 3\n"));
  CHECK(both.codes() == Words{"no-effect@3"});
  CHECK(both.experiment.training.max_batches == 2);
  CHECK(both.experiment.training.max_epochs == 0);
  CHECK(Reading(around("", "")).codes() == Words{"missing-field@trainer"});
  CHECK(Reading(around("  training_algorithm: {sgd: }\n", "")).codes() ==
        Words{"missing-field@sgd"});
}

TEST_CASE("what is not built is an error, or a warning if allowed") {
  auto const text =
      around("  training_algorithm: {sgd: {max_epochs: 1, suppress_timer_output: true}}\n",
             "  callbacks:\n    - export_onnx: {output_filename: m.onnx}\n",
             ", transforms: [scale: {scale: 2}], sample_list: a");
  Checked const refused(text);
  CHECK(refused.read.codes() ==
        Words{"not-supported-yet@true", "not-supported-yet@a", "not-supported-yet@export_onnx"});
  CHECK(refused.unimplemented == Words{"suppress_timer_output", "sample_list", "export_onnx"});
  Checked const allowed(text, true);
  CHECK_FALSE(allowed.read.report.has_errors());
  CHECK(allowed.unimplemented == refused.unimplemented);
}

TEST_CASE("a field that is not built may be given its default") {
  Checked const same(around("  random_init_trainers_identically: false\n",
                            "  num_epochs: 1\n  subgraph_communication: pt2pt\n"));
  CHECK(same.read.codes() == Words{});
  CHECK(same.unimplemented == Words{});
}

TEST_CASE("what is switched off need not be built") {
  Checked const off(around("", "  num_epochs: 1\n  amp: {enabled: false, init_scale: 2}\n"));
  CHECK(off.read.codes() == Words{});
  CHECK(off.unimplemented == Words{});
}

TEST_CASE("the objective is scaled with fp16 only") {
  auto const with = [](std::string const& fields) {
    return Checked(around("", "  num_epochs: 1\n  amp: {" + fields + "}\n"));
  };
  auto const narrow = with("type: fp16, init_scale: 8, growth_interval: 3");
  CHECK(narrow.read.codes() == Words{});
  CHECK(narrow.read.experiment.amp == DataType::f16);
  auto const& scale = narrow.read.experiment.loss_scale;
  REQUIRE(scale);
  CHECK(scale->initial == 8);
  CHECK(scale->growth == 2);
  CHECK(scale->backoff == 0.5);
  CHECK(scale->growth_interval == 3);
  auto const wide = with("init_scale: 8, growth_interval: 3");
  CHECK(wide.read.codes() == Words{"no-effect@8", "no-effect@3"});
  CHECK(wide.read.experiment.amp == DataType::bf16);
  CHECK_FALSE(wide.read.experiment.loss_scale);
  CHECK_FALSE(with("type: fp16, enabled: false").read.experiment.amp);
}

TEST_CASE("where and in which order ranks work has no effect") {
  Checked const ignored(around("",
                               "  num_epochs: 1\n  subgraph_communication: coll_opt\n"
                               "  enable_subgraph_topology: true\n"
                               "  subgraph_parent_grid_resources: 2\n",
                               ", sample_list_keep_order: true"));
  CHECK(ignored.read.codes() ==
        Words{"no-effect@true", "no-effect@coll_opt", "no-effect@true", "no-effect@2"});
  CHECK(ignored.unimplemented == Words{});
}

TEST_CASE("what has no effect is told once per field") {
  Checked const ignored(around("  serialize_io: true\n", "  num_epochs: 1\n") +
                        "    - relu: {grid_tag: 1, parallel_strategy: {height_groups: 2}}\n"
                        "    - relu: {grid_tag: 1, device_allocation: cpu}\n");
  CHECK(ignored.read.codes() == Words{"no-effect@true", "no-effect@1",
                                      "no-effect@parallel_strategy", "no-effect@1",
                                      "no-effect@cpu"});
  auto const words = ignored.read.rendered();
  auto const first = words.find("`grid_tag` has no effect");
  CHECK(first != std::string::npos);
  CHECK(words.find("`grid_tag` has no effect", first + 1) == std::string::npos);
  CHECK(words.find("the same at 1 other place\n") != std::string::npos);
}

TEST_CASE("parts are read by their form, and misspelt keys are found in them") {
  Reading const good(
      around("  callbacks:\n    - timer:\n  data_coordinator: {io_buffer: partitioned}\n",
             "  num_epochs: 1\n"));
  CHECK(good.codes() == Words{});
  auto const* callbacks = good.experiment.trainer.find_part("callbacks");
  REQUIRE(callbacks != nullptr);
  CHECK(callbacks->values.at(0).type->name == "timer");
  auto const* coordinator = good.experiment.trainer.find_part("data_coordinator");
  REQUIRE(coordinator != nullptr);
  CHECK(coordinator->values.at(0).as<sections::data_coordinator>().io_buffer == "partitioned");

  Reading const wrong(around("  callbaks: []\n  data_coordinator: {io_bufer: x}\n",
                             "  num_epochs: 1\n  amp: [1]\n", ", transforms: {scale: }"));
  CHECK(wrong.codes() == Words{"unknown-field@callbaks", "unknown-field@io_bufer",
                               "wrong-type@{scale: }", "wrong-type@[1]"});
  CHECK(wrong.rendered().find("`callbacks`") != std::string::npos);
}

TEST_CASE("layers, weights and samples have types of their own; of LBANN's types two are built") {
  auto const typed = [](std::string const& type) {
    return around("  training_algorithm: {sgd: {max_epochs: 1}}\n  data_coordinator: {datatype: " +
                      type + "}\n",
                  "  weights:\n    - {name: w, datatype: " + type + "}\n") +
           "    - relu: {datatype: " + type + "}\n";
  };
  using Types = std::vector<std::optional<DataType>>;
  auto const types_of = [](Experiment const& experiment) {
    return Types{experiment.sample_type, experiment.weights.at(0).datatype,
                 experiment.layers.at(0).datatype, experiment.layers.at(1).datatype};
  };
  for (auto const& [name, type] : {std::pair("default", std::optional<DataType>()),
                                   std::pair("float", std::optional(DataType::f32)),
                                   std::pair("double", std::optional(DataType::f64))}) {
    Checked const checked(typed(name));
    CHECK(checked.read.codes() == Words{});
    CHECK(types_of(checked.read.experiment) == Types{type, type, std::nullopt, type});
  }
  // Layers store numbers of 16 bits.
  Checked const half(typed("fp16"));
  CHECK(half.unimplemented == Words{"datatype: fp16"});
  CHECK(half.read.codes() == Words{"not-supported-yet@fp16", "not-supported-yet@fp16"});
  for (auto const& [name, type] :
       {std::pair("bf16", DataType::bf16), std::pair("fp16", DataType::f16)}) {
    Checked const layer(around("", "  num_epochs: 1\n") + "    - relu: {datatype: " + name + "}\n");
    CHECK(layer.read.codes() == Words{});
    CHECK(layer.read.experiment.layers.at(1).datatype == type);
  }
  CHECK(Checked(typed("complex_double"), true).unimplemented == Words{"datatype: complex_double"});
}
