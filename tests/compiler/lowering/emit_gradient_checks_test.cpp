// Entry points with the objective and its gradients, where a callback checks these.
#include "schemas/callbacks/check_gradients.hpp"
#include "tests/compiler/lowering/perceptron.hpp"

namespace lbann::compiler {

TEST_CASE("without such callbacks there are four entry points") {
  CHECK(Perceptron().compile() == Words{"initialize", "train", "evaluate", "predict"});
}

TEST_CASE("check_gradients: objective and gradients of the phases it acts in, without state") {
  callbacks::check_gradients check;
  check.execution_modes = {"train"};
  Perceptron train;
  CHECK(train.with(check).compile() ==
        Words{"initialize", "train", "evaluate", "predict", "objective.train", "gradients.train"});
  check.execution_modes = {"validation"};
  Perceptron all;
  all.with(check);
  check.execution_modes = {"train"};
  CHECK(all.with(check).compile().size() == 8);
  for (auto const* entry :
       {"objective.train", "gradients.train", "objective.evaluate", "gradients.evaluate"})
    CHECK_FALSE(all.writes_state(entry));
  // In the mode of the phase: only training drops.
  auto const draws = [&](std::string_view entry) {
    return all.instructions(entry).find("random(") != std::string::npos;
  };
  CHECK(draws("objective.train"));
  CHECK(draws("gradients.train"));
  CHECK_FALSE(draws("objective.evaluate"));
  CHECK_FALSE(draws("gradients.evaluate"));
}

TEST_CASE("check_gradients without an objective is told to do nothing") {
  Perceptron nothing;
  nothing.experiment.objective.clear();
  nothing.with(callbacks::check_gradients{}).compile();
  CHECK(nothing.codes() == Words{"no-effect"});
}

}  // namespace lbann::compiler
