// Tests of the program made from a graph.
#include "compiler/lowering/lowering_passes.hpp"

#include <doctest/doctest.h>

#include "compiler/passes/graph_passes.hpp"
#include "tests/support/expected.hpp"
#include "tests/support/graph_fixture.hpp"

namespace lbann::compiler {
namespace {

constexpr auto network = R"(
layer samples: input {data_field: "samples"} -> ip
layer labels: input {data_field: "labels"} -> loss
layer ip: fully_connected {num_neurons: 3} (samples) -> prob
layer prob: softmax (ip) -> loss
layer loss: cross_entropy (prob, labels) -> loss_eval
layer loss_eval: evaluation (loss)
term loss_eval scale 2
l2 scale 0.5 given ip_linearity_weights
)";

struct Fixture : GraphFixture {
  explicit Fixture(std::string_view optimizer) : GraphFixture(network) {
    give_field(experiment, "samples", {4});
    give_field(experiment, "labels", {3});
    experiment.optimizer = optimizer_from(optimizer_types, optimizer);
    infer_shapes(compilation);
    resolve_weights(compilation);
    REQUIRE(codes().empty());
    lower_to_operators(compilation);
    REQUIRE(verify(compilation.program) == std::nullopt);
  }
};

}  // namespace

TEST_CASE("an objective with a regularization, weights with momentum") {
  Fixture fixture("sgd {learn_rate: 0.1, momentum: 0.9}");
  CHECK(tests::difference("tests/compiler/lowering/objective.program",
                          to_text(fixture.compilation.program)) == "");
}

TEST_CASE("counters of equal optimizers are shared") {
  Fixture fixture("adam {learn_rate: 0.1}");
  auto const& state = fixture.compilation.state;
  REQUIRE(state.counters.size() == 2);
  CHECK(state.counters[0].size() == 2);
  CHECK(state.counters[0] == state.counters[1]);
  CHECK(state.moments[0] != state.moments[1]);
  auto const text = fixture.instructions("initialize");
  CHECK(text.find("adam/beta1_power = map() {expression: (0.9)") != std::string::npos);
  CHECK(text.find("beta1_power", text.find("beta1_power") + 1) == std::string::npos);
}

}  // namespace lbann::compiler
