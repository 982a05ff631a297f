// Tests of the sizes of mini-batches that callbacks ask for.
#include "compiler/callbacks/mini_batch_steps.hpp"

#include <doctest/doctest.h>

#include "compiler/callbacks/minibatch_schedule.hpp"
#include "compiler/callbacks/step_minibatch.hpp"
#include "tests/support/graph_fixture.hpp"

namespace lbann::compiler {

using callbacks::MiniBatchStep;
using callbacks::step_minibatch;
using callbacks::steps_of;

TEST_CASE("step_minibatch doubles until the size is the largest") {
  CHECK(steps_of(step_minibatch{.starting_mbsize = 3, .step = 2, .ramp_time = 1}, 20) ==
        std::vector<MiniBatchStep>{
            {0, 3}, {2, 6, 0, 2, 1}, {4, 12, 0, 2, 1}, {6, 20, 0, 20.0 / 12, 1}});
  CHECK(steps_of(step_minibatch{.starting_mbsize = 20, .step = 1}, 20) ==
        std::vector<MiniBatchStep>{{0, 20}});
  CHECK(steps_of(step_minibatch{.starting_mbsize = 50, .step = 1}, 20) ==
        std::vector<MiniBatchStep>{{0, 20}});
  // Epochs that no run reaches are not counted to.
  CHECK(steps_of(step_minibatch{.starting_mbsize = 1, .step = INT64_MAX}, 8) ==
        std::vector<MiniBatchStep>{{0, 1}, {INT64_MAX, 2, 0, 2}});
  CHECK(steps_of(step_minibatch{.starting_mbsize = 1, .step = 1}, INT64_MAX).size() == 64);
}

TEST_CASE("minibatch_schedule is followed by epochs, whatever the order it is written in") {
  auto schedule = declaration_of(callbacks::minibatch_schedule{.starting_mbsize = 2});
  auto const& parts = schedule.type->parts;
  schedule.parts.push_back({&parts.at(0), {}, {}});
  for (auto const& step :
       {callbacks::minibatch_schedule_step{.epoch = 7, .mbsize = 99, .lr = 0.5, .ramp_time = 3},
        callbacks::minibatch_schedule_step{.epoch = 1, .mbsize = 4}})
    schedule.parts[0].values.push_back(declaration_of(step));
  CHECK(callbacks::minibatch_schedule::mini_batches(schedule, 16) ==
        std::vector<MiniBatchChange>{{0, 2}, {1, 4}, {7, 16}});
}

}  // namespace lbann::compiler
