// Outputs by name and by default.
#include "runtime/prediction/choose_outputs.hpp"

#include <doctest/doctest.h>

#include "schemas/callbacks/dump_outputs.hpp"

namespace lbann::runtime {

namespace {

Plan plan_of(std::vector<ModelOutput> outputs) {
  Plan plan;
  plan.outputs = std::move(outputs);
  return plan;
}

std::string problem_of(Plan const& plan, std::vector<std::string> const& names) {
  auto const chosen = choose_outputs(plan, names);
  REQUIRE_FALSE(chosen.good());
  return chosen.problem().message;
}

}  // namespace

TEST_CASE("outputs in the order in which layers are named, all of a layer; or those by default") {
  auto const plan =
      plan_of({{"code", 0, false, {}}, {"parts", 0, true, {}}, {"parts", 1, true, {}}});
  auto const named = choose_outputs(plan, {"parts", "code"}).value();
  REQUIRE(named.size() == 3);
  CHECK(named[1].layer == "parts");
  CHECK(named[1].index == 1);
  CHECK(named[2].layer == "code");
  CHECK(choose_outputs(plan, {}).value().size() == 2);
}

TEST_CASE("dump_outputs names the layers of predictions, where it acts in them") {
  auto plan = plan_of({{"code", 0, false, {}}, {"parts", 0, true, {}}});
  callbacks::dump_outputs dump;
  dump.layers = {"code"};
  for (std::string const mode : {"predict", "prediction", "test"}) {
    dump.execution_modes = {mode};
    plan.callbacks = {{to_record(dump), {}}};
    CHECK(choose_outputs(plan, {}).value().front().layer == (mode == "test" ? "parts" : "code"));
    CHECK(choose_outputs(plan, {"parts"}).value().front().layer == "parts");
  }
}

TEST_CASE("a name that there is not, one named twice, nothing by default") {
  auto const plan = plan_of({{"code", 0, false, {}}, {"parts", 0, false, {}}});
  CHECK(problem_of(plan, {"cod"}).find("`code`") != std::string::npos);
  CHECK(problem_of(plan, {"code", "code"}).find("twice") != std::string::npos);
  CHECK(problem_of(plan, {}).find("--layers") != std::string::npos);
}

}  // namespace lbann::runtime
