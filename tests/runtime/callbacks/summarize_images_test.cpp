// summarize_images: what it remembers. Which images it shows, and problems of its file, are in
// tests/training/summarize_images_test.py.
#include "schemas/callbacks/summarize_images.hpp"

#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "runtime/callbacks/factories.hpp"
#include "tests/runtime/regression.hpp"

using namespace lbann;

TEST_CASE("which images are followed is remembered across a resume") {
  callbacks::summarize_images fields;
  fields.image_source_layer_name = "line";
  auto const plan = test::regression_plan();
  auto executor = runtime::Executor::create(plan, 8, kernels::Selection::best);
  REQUIRE(executor.good());
  runtime::Log log(nullptr);
  runtime::CallbackContext const view{plan, *executor.value(), log, {}, {}};
  auto const callback = runtime::callback_of(fields, view, Span{});
  CHECK(callback->state() == "");
  std::vector<std::string> const states = {"7 3"};
  REQUIRE(callback->restore(states).good());
  CHECK(callback->state() == "7 3");
}
