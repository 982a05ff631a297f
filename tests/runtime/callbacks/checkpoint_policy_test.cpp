// How often an experiment wants checkpoints, and which stay.
#include "runtime/callbacks/checkpoint_policy.hpp"

#include <doctest/doctest.h>

#include "schemas/callbacks/checkpoint.hpp"
#include "tests/runtime/regression.hpp"

using namespace lbann;

TEST_CASE("the policy is that of the plan's callback, or none but for signals") {
  auto plan = test::regression_plan();
  auto const none = runtime::checkpoint_policy(plan);
  CHECK(none.interval.steps + none.interval.epochs == 0);
  CHECK(none.interval.seconds == 0);
  CHECK(none.folder == "checkpoints");

  callbacks::checkpoint fields;
  fields.every = "10 min";
  fields.checkpoint_epochs = 3;
  fields.keep = 5;
  fields.checkpoint_dir = "saved";
  plan.callbacks = {{to_record(fields), Span{0, 0, 5}}};
  auto const policy = runtime::checkpoint_policy(plan);
  CHECK(policy.interval.seconds == 600);
  CHECK(policy.interval.epochs == 3);
  CHECK(policy.keep.newest == 5);
  CHECK(policy.folder == "saved");
}

TEST_CASE("intervals are a number and a unit") {
  using callbacks::parse_checkpoint_interval;
  CHECK(parse_checkpoint_interval("500 steps")->steps == 500);
  CHECK(parse_checkpoint_interval("1 epoch")->epochs == 1);
  CHECK(parse_checkpoint_interval("1.5h")->seconds == 5400);
  CHECK(parse_checkpoint_interval("90 s")->seconds == 90);
  for (auto const* text : {"", "steps", "0 steps", "-1 min", "1.5 steps", "10", "10 batches",
                           "nan s", "1e300 s", "5 min ago"})
    CHECK_FALSE(parse_checkpoint_interval(text).has_value());
}
