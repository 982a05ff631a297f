// --set: where paths lead, and what is said on the command line's behalf.
#include "compiler/experiment/expanding/overrides.hpp"

#include <doctest/doctest.h>

#include "compiler/layers/learned/convolution.hpp"
#include "compiler/layers/learned/fully_connected.hpp"
#include "schemas/callbacks/list.hpp"
#include "tests/compiler/experiment/read_text.hpp"

using namespace lbann;
using namespace lbann::compiler;

namespace {

using List = std::vector<std::string>;

constexpr std::string_view text = R"(variables: {epochs: 5}
trainer: {mini_batch_size: 64, training_algorithm: {sgd: {max_epochs: ${epochs}}}}
data_reader:
  - digits: {role: train}
  - digits: {role: test}
model:
  layers:
    - input: {name: images, data_field: samples}
    - convolution: {name: conv1, out_channels: 6, kernel_size: 5}
    - fully_connected: {num_neurons: 10}
    - relu:
  weights:
    - {name: w}
  callbacks:
    - print:
)";

Experiment with(std::string const& argument) {
  Reading const r(std::string(text), {argument});
  CAPTURE(argument);
  CHECK(r.rendered() == "");
  return r.experiment;
}

}  // namespace

TEST_CASE("of entries with one name a role, a name or a number tells which is meant") {
  auto const samples = [](std::string const& path) {
    auto const experiment = with(path + ".num_samples=3");
    return std::pair(experiment.readers[0].samples == 3, experiment.readers[1].samples == 3);
  };
  CHECK(samples("data_reader.digits[train]") == std::pair(true, false));
  CHECK(samples("data_reader.digits[test]") == std::pair(false, true));
  CHECK(samples("data_reader.digits[0]") == std::pair(true, false));
  CHECK(samples("data_reader.digits[1]") == std::pair(false, true));
  CHECK(samples("data_reader.digits_2") == std::pair(false, true));
  CHECK(with("model.layers.fully_connected[0].num_neurons=7").layers.size() == 4);
  CHECK(with("model.weights.w[0].optimizer={sgd: {learn_rate: 1.5}}").weights.size() == 1);

  for (std::string const path : {"digits", "digits[2]", "digits[tain]", "digits[]"}) {
    Reading const r(std::string(text), {"data_reader." + path + ".num_samples=3"});
    CHECK(r.codes() == List{"set-path@" + path});
    CHECK(r.rendered().find("entries called `digits` are `digits[train]`, `digits[test]`") !=
          std::string::npos);
  }
  // Without roles of their own, or with equal ones, they go by numbers.
  Reading const equal(std::string(text) + "    - print:\n", {"model.callbacks.print.interval=3"});
  CHECK(equal.rendered().find("`print[0]`, `print[1]`") != std::string::npos);
  Reading const second(std::string(text) + "    - print:\n",
                       {"model.callbacks.print[1].interval=3"});
  CHECK(second.experiment.callbacks.at(1).as<callbacks::print>().interval == 3);
}

TEST_CASE("apply_overrides replaces and adds values") {
  CHECK(with("trainer.mini_batch_size=8").mini_batch_size == 8);
  CHECK(with("trainer.random_seed=7").random_seed == 7);
  CHECK(with("variables.epochs=2").training.max_epochs == 2);
  CHECK(with("trainer.mini_batch_size=${epochs * 2}").mini_batch_size == 10);
  CHECK(with("optimizer={adam: {learn_rate: 1e-3}}").optimizer.type->name == "adam");
  CHECK(with("optimizer.adam.learn_rate=0.5").optimizer.type->name == "adam");
  auto const channels = [](Experiment const& e) {
    return e.layers[1].declaration.as<layers::convolution>().out_channels;
  };
  CHECK(channels(with("model.layers.conv1.out_channels=9")) == 9);
  CHECK(channels(with("model.layers.1.out_channels=9")) == 9);
  CHECK(channels(with("model.layers.convolution_1.out_channels=9")) == 9);
  CHECK(channels(with("model.layers.convolution.out_channels=9")) == 9);
  CHECK(with("model.layers.relu.name=last").layers[3].name.text == "last");
  CHECK(with("data_reader.test.num_samples=3").readers[1].samples == 3);
  CHECK(with("model.callbacks.print.interval=3").callbacks[0].as<callbacks::print>().interval == 3);
  CHECK(with("model.callbacks.0.interval=3").callbacks[0].as<callbacks::print>().interval == 3);
  CHECK(with("model.weights.w.optimizer={no_optimizer: }").weights[0].optimizer.type->name ==
        "no_optimizer");
  CHECK(with("model.layers.conv1.enabled=false").layers.size() == 3);
  CHECK(with("model.name=a=b").name == "a=b");
}

TEST_CASE("apply_overrides reports on the command line") {
  auto const codes = [](std::string const& argument) {
    Reading const r(std::string(text), {argument});
    CHECK(r.rendered().find("command line: error[") != std::string::npos);
    return r.codes();
  };
  CHECK(codes("trainer.mini_batch_siz=3") == List{"unknown-field@mini_batch_siz"});
  CHECK(codes("trainer.mini_batch_size=big") == List{"wrong-type@big"});
  CHECK(codes("trainer.mini_batch_size=") == List{"wrong-type@="});
  CHECK(codes("variables.epoch=3") == List{"set-path@epoch"});
  CHECK(codes("model.layers.conv2.stride=3") == List{"set-path@conv2"});
  CHECK(codes("model.layers.17.stride=3") == List{"set-path@17"});
  CHECK(codes("data_reader.digits.num_samples=3") == List{"set-path@digits"});
  CHECK(codes("trainer.mini_batch_size.x=3") == List{"set-path@x"});
  CHECK(codes("trainer") == List{"set-syntax@trainer"});
  CHECK(codes("=3") == List{"set-syntax@=3"});
  CHECK(codes("a..b=3") == List{"set-syntax@a..b"});
  CHECK(codes("model.name=[1") == List{"syntax-error@"});
  CHECK(codes("trainer.mini_batch_size=${epoch}") == List{"unknown-variable@epoch"});
  CHECK(codes("nonsense.a.b=1") == List{"unknown-field@nonsense"});
}
