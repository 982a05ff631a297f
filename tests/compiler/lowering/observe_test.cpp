// Observed variants of entry points: what callbacks read is a result, all else is the same.
#include "schemas/callbacks/check_small.hpp"
#include "schemas/callbacks/dump_error_signals.hpp"
#include "schemas/callbacks/dump_gradients.hpp"
#include "schemas/callbacks/dump_outputs.hpp"
#include "tests/compiler/lowering/perceptron.hpp"

namespace lbann::compiler {

TEST_CASE("what is observed is a result of a variant that does the same") {
  callbacks::dump_outputs dump;
  dump.layers = {"d", "f"};
  dump.execution_modes = {"train", "test"};
  Perceptron some;
  CHECK(some.with(dump).compile("observe") ==
        Words{"initialize", "train", "evaluate", "predict", "train.observed", "evaluate.observed"});
  CHECK(some.observed("train") == Words{"output d.0", "output f.0"});
  CHECK(some.observed("evaluate") == Words{"output d.0", "output f.0"});
  for (std::string const entry : {"train", "evaluate"}) {
    auto const& plain = some.compilation.program.entry_point(entry)->instructions;
    auto const& observed = some.compilation.program.entry_point(entry + ".observed")->instructions;
    REQUIRE(observed.size() == plain.size() + 2);
    for (std::size_t i = 0; i < plain.size(); ++i) CHECK(observed[i].op == plain[i].op);
  }
  dump.execution_modes = {"tournament"};
  CHECK(Perceptron().with(dump).compile().size() == 4);
  dump.layers = {"nobody"};
  Perceptron wrong;
  wrong.with(dump).compile();
  CHECK(wrong.codes() == Words{"unknown-layer"});
}

TEST_CASE("gradients of trained weights and error signals of layers they depend on") {
  Perceptron dumps;
  dumps.with(callbacks::dump_gradients{}).with(callbacks::dump_error_signals{}).compile();
  CHECK(dumps.observed("evaluate") == Words{});
  CHECK(dumps.observed("train") == Words{"error_signal d.0", "error_signal f.0",
                                         "error_signal loss.0", "gradient f_bias_weights.0",
                                         "gradient f_linearity_weights.0"});
  // Weights as LBANN's matrices.
  for (auto const& observation : dumps.compilation.state.observations)
    if (observation.observable == Observable::gradient)
      CHECK(to_text(dumps.compilation.program[observation.tensor].type.shape) ==
            (observation.name == "f_bias_weights" ? "[3, 1]" : "[3, 4]"));
  Perceptron small;
  small.with(callbacks::check_small{}).with(callbacks::dump_gradients{}).compile();
  CHECK(small.observed("train").size() == 4 + 2);
}

}  // namespace lbann::compiler
