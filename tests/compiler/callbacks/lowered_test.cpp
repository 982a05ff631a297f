// What callbacks become: instructions in `initialize` and `train`, and entry points between steps.
#include <doctest/doctest.h>

#include <algorithm>

#include "compiler/callbacks/adaptive_learning_rate.hpp"
#include "compiler/callbacks/alternate_updates.hpp"
#include "compiler/callbacks/clip_gradient_norm.hpp"
#include "compiler/callbacks/compute_model_size.hpp"
#include "compiler/callbacks/cosine_decay_learning_rate.hpp"
#include "compiler/callbacks/custom_learning_rate.hpp"
#include "compiler/callbacks/drop_fixed_learning_rate.hpp"
#include "compiler/callbacks/linear_growth_learning_rate.hpp"
#include "compiler/callbacks/minibatch_schedule.hpp"
#include "compiler/callbacks/optimizerwise_adaptive_learning_rate.hpp"
#include "compiler/callbacks/perturb_adam.hpp"
#include "compiler/callbacks/perturb_dropout.hpp"
#include "compiler/callbacks/perturb_learning_rate.hpp"
#include "compiler/callbacks/perturb_weights.hpp"
#include "compiler/callbacks/poly_learning_rate.hpp"
#include "compiler/callbacks/replace_weights.hpp"
#include "compiler/callbacks/set_learning_rate.hpp"
#include "compiler/callbacks/set_weights_value.hpp"
#include "compiler/callbacks/step_learning_rate.hpp"
#include "compiler/callbacks/step_minibatch.hpp"
#include "compiler/lowering/lowering_passes.hpp"
#include "compiler/passes/graph_passes.hpp"
#include "tests/support/expected.hpp"
#include "tests/support/graph_fixture.hpp"

namespace lbann::compiler {

namespace {

/// The lines of the program of two layers, with dropout between them, that are not there without
/// these callbacks.
std::string lines_of(std::vector<Declaration> callbacks,
                     std::string const& optimizer = "sgd {learn_rate: 1}") {
  auto const program = [&](std::vector<Declaration> with) {
    GraphFixture fixture(
        "layer x: input {data_field: \"samples\"} -> a\n"
        "layer a: fully_connected {num_neurons: 4, has_bias: false} (x) -> d given v\n"
        "layer d: dropout {keep_prob: 0.75} (a) -> b\n"
        "layer b: fully_connected {num_neurons: 4, has_bias: false} (d) -> end given w\n"
        "layer end: dummy (b)\n"
        "weights v: []\n"
        "weights w: []\n");
    give_field(fixture.experiment, "samples", {4});
    fixture.experiment.mini_batch_size = 16;
    fixture.experiment.training.max_epochs = 5;
    fixture.experiment.optimizer = optimizer_from(fixture.optimizer_types, optimizer);
    fixture.experiment.callbacks = std::move(with);
    infer_shapes(fixture.compilation);
    resolve_weights(fixture.compilation);
    check_callback_targets(fixture.compilation);
    lower_to_operators(fixture.compilation);
    update_weights(fixture.compilation);
    REQUIRE(fixture.codes().empty());
    auto const& lowered = fixture.compilation.program;
    // `train` lacks the gradients, which another pass derives.
    auto without = lowered;
    std::erase_if(without.entry_points, [](EntryPoint const& e) { return e.name == "train"; });
    REQUIRE(verify(without).value_or("") == "");
    REQUIRE(to_text(parse_program(to_text(lowered)).value()) == to_text(lowered));
    std::vector<std::string> lines;
    auto text = to_text(lowered);
    for (std::size_t end; (end = text.find('\n')) != text.npos; text.erase(0, end + 1))
      lines.push_back(text.substr(0, end));
    return lines;
  };
  auto const plain = program({});
  std::string more;
  for (auto const& line : program(std::move(callbacks)))
    if (std::ranges::find(plain, line) == plain.end()) more += line + "\n";
  return more;
}

void check(std::string const& name, Declaration const& callback,
           std::string const& optimizer = "sgd {learn_rate: 1}") {
  CHECK(tests::difference("tests/compiler/callbacks/lowered.expected", name,
                          lines_of({callback}, optimizer)) == "");
}

}  // namespace

TEST_CASE("what becomes of gradients and steps") {
  check("clip_gradient_norm", declaration_of(callbacks::clip_gradient_norm{.value = 2}));
  check("clip_gradient_norm of all",
        declaration_of(callbacks::clip_gradient_norm{.global_norm = true, .value = 2}));
  check("optimizerwise_adaptive_learning_rate",
        declaration_of(callbacks::optimizerwise_adaptive_learning_rate{.scale = 3}));
  check("alternate_updates",
        declaration_of(callbacks::alternate_updates{
            .layers_1 = {"a"}, .layers_2 = {"b"}, .iters_1 = 3, .iters_2 = 2}));
}

TEST_CASE("what becomes of learning rates") {
  check("step_learning_rate",
        declaration_of(callbacks::step_learning_rate{.weights = {"w"}, .step = 2, .amt = 0.5}));
  check("set_learning_rate", declaration_of(callbacks::set_learning_rate{.step = 2, .val = 0.5}));
  check("drop_fixed_learning_rate",
        declaration_of(callbacks::drop_fixed_learning_rate{.drop_epoch = {7, 3, 7}, .amt = 0.5}));
  check("linear_growth_learning_rate", declaration_of(callbacks::linear_growth_learning_rate{
                                           .target = 4, .num_epochs = 3, .delay = 2}));
  check("linear_growth_learning_rate at once",
        declaration_of(callbacks::linear_growth_learning_rate{.target = 4, .num_epochs = 3}));
  check("poly_learning_rate",
        declaration_of(callbacks::poly_learning_rate{.power = 2, .end_lr = 0.1}));
  check("poly_learning_rate of steps",
        declaration_of(callbacks::poly_learning_rate{.power = 2, .max_iter = 9}));
  check("cosine_decay_learning_rate",
        declaration_of(callbacks::cosine_decay_learning_rate{
            .lr_max = 2, .lr_min = 1, .decay_steps = 8, .warmup_steps = 4}));
  check("cosine_decay_learning_rate of epochs",
        declaration_of(callbacks::cosine_decay_learning_rate{
            .lr_max = 2, .lr_min = 1, .decay_epochs = 2.5, .warmup_epochs = 0.5}));
  check(
      "custom_learning_rate",
      declaration_of(callbacks::custom_learning_rate{.expression = "first * 0.5 ** floor(epoch)"}));
  check("custom_learning_rate of steps", declaration_of(callbacks::custom_learning_rate{
                                             .weights = {"w"}, .expression = "0.5 / (step + 1)"}));
  check("adaptive_learning_rate",
        declaration_of(callbacks::adaptive_learning_rate{.patience = 3, .amt = 0.5}));
  check("perturb_learning_rate",
        declaration_of(callbacks::perturb_learning_rate{
            .learning_rate_factor = 0.5, .perturb_during_training = true, .batch_interval = 3}));
}

TEST_CASE("what becomes of other numbers") {
  check("perturb_adam",
        declaration_of(callbacks::perturb_adam{.learning_rate_factor = 0.25,
                                               .beta1_factor = 0.5,
                                               .eps_factor = 0.125,
                                               .perturb_during_training = true,
                                               .batch_interval = 3,
                                               .weights = {"v"}}),
        "adam {learn_rate: 1}");
  check("perturb_dropout", declaration_of(callbacks::perturb_dropout{.keep_dropout_factor = 0.5}));
}

TEST_CASE("what becomes of weights") {
  check("set_weights_value",
        declaration_of(callbacks::set_weights_value{.weights = {"v", "w"}, .value = 3, .step = 7}));
  check("replace_weights",
        declaration_of(callbacks::replace_weights{
            .source_layers = {"a", "b"}, .destination_layers = {"b", "b"}, .batch_interval = 5}));
  callbacks::perturb_weights perturb;
  perturb.lower_ = -1;
  perturb.upper = 2;
  perturb.scale = 0.5;
  perturb.perturb_probability = 0.25;
  perturb.output_name = "w";
  perturb.batch_interval = 4;
  check("perturb_weights", declaration_of(perturb));
  check("compute_model_size",
        declaration_of(callbacks::compute_model_size{.output_name = "w", .batch_interval = 2}));
}

TEST_CASE("learning rates follow the size of mini-batches") {
  check("step_minibatch",
        declaration_of(callbacks::step_minibatch{.starting_mbsize = 4, .step = 2, .ramp_time = 3}));
  auto schedule = declaration_of(callbacks::minibatch_schedule{.starting_mbsize = 2});
  auto const& parts = schedule.type->parts;
  schedule.parts.push_back({&parts.at(0), {}, {}});
  for (auto const& step :
       {callbacks::minibatch_schedule_step{.epoch = 1, .mbsize = 4},
        callbacks::minibatch_schedule_step{.epoch = 2, .mbsize = 8, .lr = 0.5},
        callbacks::minibatch_schedule_step{.epoch = 3, .mbsize = 16, .lr = 0.25, .ramp_time = 4}})
    schedule.parts[0].values.push_back(declaration_of(step));
  check("minibatch_schedule", schedule);
}

TEST_CASE("callbacks of one type have entry points of their own") {
  auto const twice = lines_of({declaration_of(callbacks::set_learning_rate{.step = 2, .val = 0.5}),
                               declaration_of(callbacks::set_learning_rate{.step = 3, .val = 1})});
  CHECK(twice.find("entry set_learning_rate at epoch_end from 2 to 2:\n") != twice.npos);
  CHECK(twice.find("entry set_learning_rate_2 at epoch_end from 3 to 3:\n") != twice.npos);
}

}  // namespace lbann::compiler
