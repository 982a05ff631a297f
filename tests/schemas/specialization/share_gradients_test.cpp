// Sums of gradients in shared memory: every rank has a part, and all parts are the whole.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

#include "schemas/specialization/pipeline.hpp"
#include "schemas/specialization/specialize.hpp"
#include "tests/schemas/specialization/symbolic_run.hpp"
#include "tests/support/batch_split.hpp"

using namespace lbann;

namespace {

/// Two layers, 300 - 150 - 70, of which one has a bias. The gradient of the first is the sum of its
/// parts in the update, where weight decay is added; `more` are instructions before the updates.
Plan decayed_layers(std::string const& more = {}) {
  auto parsed = parse_program(
      "tensor x: input f32 [batch, 300]\n"
      "tensor rate: statistic f64 []\n"
      "tensor w1: weights f32 [150, 300]\ntensor w2: weights f32 [70, 150]\n"
      "tensor b2: weights f32 [70]\n"
      "tensor w1/gradient: gradient f32 [150, 300] of w1\n"
      "tensor w2/gradient: gradient f32 [70, 150] of w2\n"
      "tensor b2/gradient: gradient f32 [70] of b2\n"
      "tensor w1/velocity: moment f32 [150, 300] of w1\n"
      "tensor w2/velocity: moment f32 [70, 150] of w2\n"
      "tensor norm: result f32 []\n"
      "tensor h: activation f32 [batch, 150]\ntensor y: activation f32 [batch, 70]\n"
      "tensor z: activation f32 [batch, 70]\ntensor dh: activation f32 [batch, 150]\n"
      "tensor parts: activation f32 [150, 300]\ntensor sum: activation f32 [150, 300]\n"
      "entry train:\n"
      "  h = matmul(x, w1) {transpose_b: true}\n"
      "  y = matmul(h, w2) {transpose_b: true}\n"
      "  z = map(y, b2) {expression: (add(i0, i1)), shape: [batch, 70], types: [f32]}\n"
      "  b2/gradient = reduce(z) {expression: (i0), shape: [batch, 70], axes: [0]}\n"
      "  b2/gradient = all_reduce(b2/gradient) {mesh_axes: [data]}\n"
      "  w2/gradient = matmul(z, h) {transpose_a: true}\n"
      "  w2/gradient = all_reduce(w2/gradient) {mesh_axes: [data]}\n"
      "  dh = matmul(z, w2)\n"
      "  parts = matmul(dh, x) {transpose_a: true}\n"
      "  sum = all_reduce(parts) {mesh_axes: [data]}\n" +
      more +
      "  b2 = map(b2, b2/gradient) {expression: (subtract(i0, i1)), shape: [70], types: [f32]}\n"
      "  w2, w2/velocity = map(w2, w2/gradient, w2/velocity) {expression: (t0 = add(multiply(i2, "
      "0.9), i1); subtract(i0, t0), t0), shape: [70, 150], types: [f32, f32]}\n"
      "  w1, w1/velocity = map(w1, sum, w1/velocity, rate) {expression: (t0 = add(multiply(i2, "
      "0.9), add(i1, multiply(i3, i0))); subtract(i0, t0), t0), shape: [150, 300], "
      "types: [f32, f32]}\n");
  if (!parsed) FAIL(parsed.problem().message);
  Plan plan;
  plan.program = tests::with_batch_split(parsed.value());
  return plan;
}

constexpr std::int64_t large_batch = 300;  // of which factors are larger than gradients

Placement on_node(std::int64_t ranks, std::int64_t rank = 0) {
  Placement placement;
  placement.mesh = {{"data", ranks}};
  placement.rank = rank;
  placement.mini_batch = large_batch;
  placement.one_node = true;
  return placement;
}

SpecializedProgram on_one_node(Plan const& plan, std::int64_t ranks, std::int64_t rank = 0) {
  auto const placement = on_node(ranks, rank);
  auto program = specialize(plan, placement);
  if (!program) FAIL(program.problem().message);
  // What passes say about their own work holds in every build.
  auto const dump = dump_after("place", plan, placement);
  REQUIRE(dump.good());
  CHECK_MESSAGE(!dump.value().fault, dump.value().fault.value_or(""));
  return std::move(program).value();
}

Slot const& place_of(SpecializedProgram const& program, std::string_view name) {
  auto const found = std::ranges::find(program.tensors, name, &Tensor::name);
  REQUIRE(found != program.tensors.end());
  return program.slots[static_cast<std::size_t>(found - program.tensors.begin())];
}

std::size_t sums_left(SpecializedProgram const& program) {
  return static_cast<std::size_t>(
      std::ranges::count_if(program.entry("train")->instructions, [](Instruction const& each) {
        return std::holds_alternative<operators::all_reduce>(each.op);
      }));
}

}  // namespace

TEST_CASE("ranks of a node sum and update a part each, and all parts are the whole") {
  auto const plan = decayed_layers();
  for (std::int64_t ranks : {2, 3, 20}) {
    CAPTURE(ranks);
    // Of 70 biases 2 ranks get some each; more than that send them.
    bool const all = ranks == 2;
    std::vector<std::int64_t> ends(3, 0);
    for (std::int64_t rank = 0; rank < ranks; ++rank) {
      auto const program = on_one_node(plan, ranks, rank);
      CHECK(message_digest(program) == message_digest(on_one_node(plan, ranks)));
      CHECK(sums_left(program) == (all ? 1 : 2));  // the status words
      for (auto const* name : {"w1", "w2", "w1/velocity", "w2/velocity", "sum", "w2/gradient"})
        CHECK(place_of(program, name).arena == Arena::shared);
      CHECK((place_of(program, "b2/gradient").arena == Arena::shared) == all);
      auto const first = program.own_gradients - rank * program.gradient_block;
      auto const& instructions = program.entry("train")->instructions;
      std::size_t update = 0;
      for (std::size_t i = 0; i < instructions.size(); ++i) {
        auto const& instruction = instructions[i];
        auto const output = instruction.outputs[0];
        if (program.tensors[output.index()].origin.pass != "split_updates") continue;
        bool const is_sum = program.tensors[output.index()].role == TensorRole::gradient;
        std::int64_t others = 0;
        for (auto const id : instruction.inputs) {
          auto const& slot = program.slots[id.index()];
          if (!program.is_of_another_rank(id)) continue;
          ++others;
          // The same elements of the block of another rank.
          auto const own = program.slots[output.index()];
          CHECK(slot.bytes == own.bytes);
          CHECK((slot.offset - first) % program.gradient_block ==
                (own.offset - first) % program.gradient_block);
        }
        CHECK((others > 0) == is_sum);
        if (is_sum) continue;
        // Parts follow one another.
        REQUIRE(update < program.split_updates.size());
        auto const part = own_elements(program.split_updates[update], ranks, rank);
        CHECK(part.begin == ends[update]);
        CHECK(part.size > 0);
        CHECK(program.tensors[output.index()].type.shape == Shape{{part.size, false}});
        ends[update++] = part.end();
      }
      CHECK(update == program.split_updates.size());
      if (rank == ranks - 1)
        for (std::size_t k = 0; k < update; ++k) CHECK(ends[k] == program.split_updates[k]);
      // Each rank meets the others before the first sum, after its last use of what they write.
      auto const meets = [](Instruction const& each) { return each.awaits_ranks; };
      CHECK(std::ranges::count_if(instructions, meets) == 1);
      auto const met = std::ranges::find_if(instructions, meets);
      for (auto at = met; at != instructions.end(); ++at)
        for (auto const* ids : {&at->inputs, &at->outputs})
          for (auto const id : *ids)
            CHECK((program.slots[id.index()].arena != Arena::shared ||
                   program.tensors[id.index()].origin.pass == "split_updates"));
    }
    std::vector<std::string> faults;
    std::vector<std::string> const entries = {"train", "train"};
    auto const outcome =
        tests::run_in_arenas(on_one_node(plan, ranks), plan.program, entries, faults);
    for (auto const& fault : faults) FAIL_CHECK(fault);
    for (auto const& expected : tests::run_alone(plan.program, entries))
      CHECK_MESSAGE(outcome.at(expected.first) == expected.second, expected.first);
  }
}

TEST_CASE("gradients that anything else reads are sent") {
  auto const arena_of_first = [](std::string const& more, std::string const& entry = {}) {
    auto plan = decayed_layers(more);
    if (!entry.empty())
      plan.program = parse_program(to_text(plan.program) + "entry " + entry).value();
    return place_of(on_one_node(plan, 2), "w1").arena;
  };
  CHECK(arena_of_first("") == Arena::shared);
  CHECK(arena_of_first("  norm = reduce(sum) {expression: (multiply(i0, i0)), shape: [150, 300], "
                       "axes: [0, 1]}\n") == Arena::weights);
  // Weights that every rank changes itself.
  CHECK(arena_of_first("",
                       "set at step_begin from 0:\n"
                       "  w1 = map() {expression: (0), shape: [150, 300], types: [f32]}\n") ==
        Arena::weights);
}

TEST_CASE("ranks of several nodes send gradients in buckets, also such that were sums") {
  auto placement = on_node(2);
  placement.one_node = false;
  auto const program = specialize(decayed_layers(), placement);
  REQUIRE(program.good());
  CHECK(place_of(program.value(), "w1").arena == Arena::weights);
  CHECK(place_of(program.value(), "sum").arena == Arena::gradients);
  CHECK(program.value().gradient_block == 0);
}
