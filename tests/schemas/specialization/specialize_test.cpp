// Specialised programs compute what the plan's program does, and no two live buffers overlap.
#include "schemas/specialization/specialize.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "tests/schemas/specialization/random_program.hpp"
#include "tests/schemas/specialization/symbolic_run.hpp"
#include "tests/support/batch_split.hpp"
#include "tests/support/small_plan.hpp"

using namespace lbann;

namespace {

SpecializedProgram specialized(Plan const& plan, std::int64_t mini_batch, std::int64_t ranks = 1,
                               bool one_node = false, std::int64_t rank = 0) {
  Placement placement;
  placement.one_node = one_node;
  placement.rank = rank;
  placement.mini_batch = mini_batch;
  placement.mesh = {{"data", ranks}};
  auto program = specialize(plan, placement);
  if (!program) FAIL(program.problem().message);
  return std::move(program).value();
}

/// Checks places and meaning of the plan's program for the first of `ranks`.
void check(Plan const& plan, std::int64_t mini_batch, std::vector<std::string> const& entries,
           std::int64_t ranks = 1, bool one_node = false) {
  auto const program = specialized(plan, mini_batch, ranks, one_node);
  for (auto const& slot : program.slots) {
    if (!slot.used) continue;
    CHECK(slot.offset % buffer_alignment == 0);
    CHECK(slot.offset >= 0);
    CHECK(slot.offset + slot.bytes <= program.arena_bytes[static_cast<std::size_t>(slot.arena)]);
  }
  for (auto const& entry : program.entries) {
    REQUIRE(entry.scratch.size() == entry.instructions.size());
    for (std::size_t i = 0; i < entry.scratch.size(); ++i) {
      auto const& slot = entry.scratch[i];
      auto const& instruction = entry.instructions[i];
      TensorTypes inputs, outputs;
      for (auto id : instruction.inputs) inputs.push_back(program.tensors[id.index()].type);
      for (auto id : instruction.outputs) outputs.push_back(program.tensors[id.index()].type);
      auto const inferred = infer(instruction.op, inputs);
      CHECK((inferred.good() && inferred.value() == outputs));
      CHECK(slot.bytes == scratch_bytes(instruction.op, {inputs, outputs},
                                        instruction.factor_broadcast
                                            ? mini_batch
                                            : program.samples_of(instruction, mini_batch),
                                        1));
      CHECK(slot.arena == Arena::activations);
      CHECK(slot.offset % buffer_alignment == 0);
      CHECK(slot.offset + slot.bytes <=
            program.arena_bytes[static_cast<std::size_t>(Arena::activations)]);
    }
  }
  std::vector<std::string> faults;
  auto const outcome = tests::run_in_arenas(program, plan.program, entries, faults);
  for (auto const& fault : faults) FAIL_CHECK(fault);
  auto const expected = tests::run_alone(plan.program, entries);
  for (auto const& each : expected) {
    auto const& name = each.first;
    auto const symbol = each.second;
    auto const found = outcome.at(name);
    bool const same = found == symbol || (std::isnan(found) && std::isnan(symbol));
    CHECK_MESSAGE(same, name, " holds ", found, " instead of ", symbol);
  }
  if (!faults.empty()) MESSAGE(to_text(program));
}

std::size_t instructions(SpecializedProgram const& program, std::string_view entry,
                         std::string_view op) {
  std::size_t count = 0;
  for (auto const& instruction : program.entry(entry)->instructions)
    count += name_of(instruction.op) == op ? 1 : 0;
  return count;
}

std::string problem_of(Plan const& plan, Placement const& placement) {
  auto const program = specialize(plan, placement);
  return program ? "" : program.problem().message;
}

TensorId find(std::vector<Tensor> const& tensors, std::string_view name) {
  for (std::size_t i = 0; i < tensors.size(); ++i)
    if (tensors[i].name == name) return TensorId(i);
  return {};
}

}  // namespace

TEST_CASE("the small plan runs in its arenas") {
  auto const plan = tests::small_plan();
  for (std::int64_t ranks : {1, 3})
    for (std::int64_t batch : {1, 5, 64})
      check(plan, batch, {"initialize", "train", "evaluate", "train", "train", "evaluate"}, ranks);
}

TEST_CASE("random programs run in their arenas") {
  for (std::uint64_t seed = 0; seed < 400; ++seed) {
    Plan plan;
    plan.program = tests::random_program(seed, 2 + seed % 40);
    auto const fault = verify(plan.program);
    REQUIRE_MESSAGE(!fault.has_value(), seed, ": ", fault.value_or(""));
    CAPTURE(seed);
    for (std::int64_t ranks : {1, 2})
      check(plan, 1 + static_cast<std::int64_t>(seed % 9), {"train", "evaluate", "train", "train"},
            ranks);
  }
}

TEST_CASE("the checker notices a buffer in the wrong place") {
  std::size_t noticed = 0, moved = 0;
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    Plan plan;
    plan.program = tests::random_program(seed, 30);
    auto program = specialized(plan, 4);
    // Put everything that has bytes of its own in the activations arena to its beginning.
    std::set<std::int64_t> offsets;
    for (auto& slot : program.slots)
      if (slot.used && slot.arena == Arena::activations && slot.bytes > 0) {
        offsets.insert(slot.offset);
        slot.offset = 0;
      }
    if (offsets.size() < 3) continue;
    ++moved;
    std::vector<std::string> faults;
    tests::run_in_arenas(program, plan.program, {"train", "evaluate"}, faults);
    noticed += faults.empty() ? 0 : 1;
  }
  CHECK(moved > 10);
  CHECK(noticed == moved);
}

TEST_CASE("collectives over one rank vanish, updates become one map") {
  auto const program = specialized(tests::small_plan(), 5);
  CHECK(instructions(program, "train", "all_reduce") == 0);
  // Where several ranks add their gradients, nothing can be updated inside a product.
  for (std::int64_t ranks : {1, 2}) {
    auto const placed = specialized(tests::small_plan(), 5, ranks);
    std::size_t updates = 0;
    for (auto const& instruction : placed.entry("train")->instructions) {
      auto const& written = placed.tensors[instruction.outputs[0].index()];
      auto const map = std::holds_alternative<operators::map>(instruction.op);
      if (map && written.role == TensorRole::weights) ++updates;
    }
    CHECK(updates == 1);
  }
}

TEST_CASE("weights, gradients and moments have equal offsets, in order of readiness") {
  auto const program = specialized(tests::small_plan(), 5, 2);
  auto const offset = [&](std::string const& name) {
    return program.slots[find(program.tensors, name).index()].offset;
  };
  for (std::string name : {"w1", "b1", "w2", "b2"}) {
    CHECK(offset(name) == offset(name + "/gradient"));
    CHECK(offset(name) == offset(name + "/velocity"));
  }
  CHECK(offset("w2") < offset("b2"));
  CHECK(offset("b2") < offset("w1"));
  CHECK(offset("w1") < offset("b1"));
}

TEST_CASE("more ranks keep their collectives and hold their share of samples") {
  auto const plan = tests::small_plan();
  std::int64_t total = 0;
  for (std::int64_t rank = 0; rank < 3; ++rank) {
    Placement placement;
    placement.mesh = {{"data", 3}};
    placement.rank = rank;
    placement.mini_batch = 5;
    auto const program = specialize(plan, placement);
    if (!program) FAIL(program.problem().message);
    total += program.value().largest_batch;
    // Loss, hits and status words travel by themselves; the four gradients are one bucket.
    CHECK(instructions(program.value(), "train", "all_reduce") == 4);
    CHECK(program.value().entry("train")->messages.size() == 4);
  }
  CHECK(total == 5);
  CHECK(local_samples(5, 3, 0) == 2);
  CHECK(local_samples(5, 3, 2) == 1);
  CHECK(local_samples(1, 3, 2) == 0);
}

TEST_CASE("messages are posted when complete and awaited where they are needed") {
  auto const program = specialized(tests::small_plan(), 5, 2);
  auto const& train = *program.entry("train");
  REQUIRE(train.status.valid());
  auto const& status = program.slots[train.status.index()];
  CHECK(status.arena == Arena::messages);
  CHECK(status.bytes == status_words * 8);
  REQUIRE_FALSE(train.messages.empty());
  std::size_t before = 0;
  for (auto const& message : train.messages) {
    CHECK(message.posted >= before);
    before = message.posted;
    CHECK(message.needed > message.posted);
    CHECK(name_of(train.instructions[message.posted].op) == "all_reduce");
    // Whoever awaits it reads or writes what it carries.
    if (message.needed == train.instructions.size()) continue;
    auto const& sum = program.slots[train.instructions[message.posted].outputs[0].index()];
    auto const& needing = train.instructions[message.needed];
    bool touches = false;
    for (auto const* ids : {&needing.inputs, &needing.outputs})
      for (auto id : *ids) {
        auto const& slot = program.slots[id.index()];
        touches = touches || (slot.arena == sum.arena && slot.offset < sum.offset + sum.bytes &&
                              sum.offset < slot.offset + slot.bytes);
      }
    CHECK(touches);
  }
  // What all ranks must have in common does not depend on their samples.
  Placement other;
  other.mini_batch = 5;
  other.mesh = {{"data", 2}};
  other.rank = 1;
  CHECK(message_digest(specialize(tests::small_plan(), other).value()) == message_digest(program));
  CHECK(message_digest(specialized(tests::small_plan(), 5, 1)) != message_digest(program));
}

TEST_CASE("specialize says why a placement is impossible") {
  auto const plan = tests::small_plan();
  CHECK(problem_of(plan, {.mesh = {{"data", 0}}}) != "");
  CHECK(problem_of(plan, {.mesh = {{"rows", 2}}}) != "");
  CHECK(problem_of(plan, {.rank = 1}) != "");
  CHECK(problem_of(plan, {.rank = -1}) != "");
  CHECK(problem_of(plan, {.mini_batch = 0}) != "");
  CHECK(problem_of(plan, {.mini_batch = INT64_MAX / 3}) != "");
  CHECK(problem_of(plan, {.mini_batch = 3}) == "");
}

TEST_CASE("activations share memory as far as their lives allow") {
  // A chain of maps over [batch, 1024]: two live at a time, and the first cannot be in place.
  std::string text = "tensor x: input f32 [batch, 1024]\ntensor y: result f32 [1024]\n";
  std::string body = "entry evaluate:\n";
  for (int i = 0; i < 20; ++i) {
    text += "tensor t" + std::to_string(i) + ": activation f32 [batch, 1024]\n";
    body += "  t" + std::to_string(i) + " = map(" + (i == 0 ? "x" : "t" + std::to_string(i - 1)) +
            ") {expression: (tanh(i0)), shape: [batch, 1024], types: [f32]}\n";
  }
  body += "  y = reduce(t19) {expression: (i0), shape: [batch, 1024], axes: [0]}\n";
  Plan plan;
  auto parsed = parse_program(text + body);
  if (!parsed) FAIL(parsed.problem().message);
  plan.program = tests::with_batch_split(parsed.value());
  check(plan, 16, {"evaluate"});
  auto const program = specialized(plan, 16);
  auto const scratch = program.entry("evaluate")->scratch.back().bytes;
  CHECK(program.arena_bytes[static_cast<std::size_t>(Arena::activations)] <=
        16 * 1024 * 4 + (scratch + 63) / 64 * 64);
}

TEST_CASE("10,000 layers are specialised") {
  std::string text = "tensor x: input f32 [batch, 8]\n";
  std::string body = "entry train:\n", reductions, updates;
  constexpr int layers = 10000;
  for (int i = 0; i < layers; ++i) {
    auto const n = std::to_string(i), before = i == 0 ? "x" : "a" + std::to_string(i - 1);
    text += "tensor w" + n + ": weights f32 [8, 8]\ntensor w" + n +
            "/gradient: gradient f32 [8, 8] of w" + n + "\ntensor a" + n +
            ": activation f32 [batch, 8]\n";
    body += "  a" + n + " = matmul(" + before + ", w" + n + ")\n";
  }
  text += "tensor d" + std::to_string(layers) + ": activation f32 [batch, 8]\n";
  body += "  d" + std::to_string(layers) +
          " = map(a9999) {expression: (tanh(i0)), shape: [batch, 8], types: [f32]}\n";
  for (int i = layers - 1; i >= 0; --i) {
    auto const n = std::to_string(i), d = "d" + std::to_string(i + 1);
    text += "tensor d" + n + ": activation f32 [batch, 8]\n";
    body += "  w" + n + "/gradient = matmul(" + (i == 0 ? "x" : "a" + std::to_string(i - 1)) +
            ", " + d + ") {transpose_a: true}\n  d" + n + " = matmul(" + d + ", w" + n +
            ") {transpose_b: true}\n";
    reductions += "  w" + n + "/gradient = all_reduce(w" + n + "/gradient) {mesh_axes: [data]}\n";
    updates += "  w" + n + " = map(w" + n + ", w" + n +
               "/gradient) {expression: (subtract(i0, i1)), shape: [8, 8], types: [f32]}\n";
  }
  Plan plan;
  auto parsed = parse_program(text + body + reductions + updates);
  if (!parsed) FAIL(parsed.problem().message);
  plan.program = tests::with_batch_split(parsed.value());
  // One map per bucket, and the one at the end of the forward pass.
  auto const buckets = instructions(specialized(plan, 16, 2), "train", "all_reduce") - 1;
  CHECK(buckets == 4);
  CHECK(instructions(specialized(plan, 16, 2), "train", "map") == buckets);
  // A quadratic way would take minutes: no end before the test's own.
  CHECK(instructions(specialized(plan, 16), "train", "all_reduce") == 0);
}

namespace {

/// A chain of two layers, 512 - 256 - 512, with momentum; `more` are instructions of `train` behind
/// the gradients.
Plan two_wide_layers(std::string const& more = {}) {
  std::string const update =
      "{expression: (t0 = add(multiply(i2, 0.9), i1); subtract(i0, t0), t0), shape: ";
  auto parsed = parse_program(
      "tensor x: input f32 [batch, 512]\n"
      "tensor w1: weights f32 [256, 512]\ntensor w2: weights f32 [512, 256]\n"
      "tensor w1/gradient: gradient f32 [256, 512] of w1\n"
      "tensor w2/gradient: gradient f32 [512, 256] of w2\n"
      "tensor w1/velocity: moment f32 [256, 512] of w1\n"
      "tensor w2/velocity: moment f32 [512, 256] of w2\n"
      "tensor norm: result f32 [256]\n"
      "tensor h: activation f32 [batch, 256]\ntensor y: activation f32 [batch, 512]\n"
      "tensor dy: activation f32 [batch, 512]\ntensor dh: activation f32 [batch, 256]\n"
      "entry train:\n"
      "  h = matmul(x, w1) {transpose_b: true}\n"
      "  y = matmul(h, w2) {transpose_b: true}\n"
      "  dy = map(y, x) {expression: (subtract(i0, i1)), shape: [batch, 512], types: [f32]}\n"
      "  dh = matmul(dy, w2)\n"
      "  w2/gradient = matmul(dy, h) {transpose_a: true}\n"
      "  w2/gradient = all_reduce(w2/gradient) {mesh_axes: [data]}\n"
      "  w1/gradient = matmul(dh, x) {transpose_a: true}\n"
      "  w1/gradient = all_reduce(w1/gradient) {mesh_axes: [data]}\n" +
      more + "  w2, w2/velocity = map(w2, w2/gradient, w2/velocity) " + update +
      "[512, 256], types: [f32, f32]}\n  w1, w1/velocity = map(w1, w1/gradient, w1/velocity) " +
      update + "[256, 512], types: [f32, f32]}\n");
  if (!parsed) FAIL(parsed.problem().message);
  Plan plan;
  plan.program = tests::with_batch_split(parsed.value());
  return plan;
}

}  // namespace

TEST_CASE("ranks of a node gather factors instead of summing large gradients") {
  auto const plan = two_wide_layers();
  for (std::int64_t ranks : {2, 3, 4}) {
    check(plan, 7, {"train", "train"}, ranks, true);
    auto const program = specialized(plan, 7, ranks, true);
    auto const& train = *program.entry("train");
    REQUIRE(train.broadcasts.size() == 2);
    // The status words alone are summed.
    CHECK(instructions(program, "train", "all_reduce") == 1);
    for (auto const& message : train.messages) {
      if (message.kind == Message::Kind::collective) continue;
      CHECK(message.posted <= message.needed);
      auto const& product = train.broadcasts[message.broadcast];
      CHECK(product.instruction == message.needed);
      CHECK(product.a.bytes == 7 * product.rows * 4);
      CHECK(product.b.bytes == 7 * product.columns * 4);
      auto const& instruction = train.instructions[message.needed];
      auto const weights = instruction.outputs[0];
      // Nobody reads old weights of this rank's behind the post, but the product.
      for (auto i = message.posted; i < train.instructions.size(); ++i)
        if (i != message.needed)
          CHECK(std::ranges::find(train.instructions[i].inputs, weights) ==
                train.instructions[i].inputs.end());
      for (auto i = message.posted; i < message.needed; ++i)
        for (auto id : train.instructions[i].outputs)
          CHECK((id != instruction.inputs[0] && id != instruction.inputs[1]));
      for (auto id : instruction.outputs) CHECK(program.slots[id.index()].arena == Arena::shared);
    }
    // The rows of all ranks are all rows, and each computes what it is told.
    for (std::size_t number = 0; number < train.broadcasts.size(); ++number) {
      auto const& product = train.broadcasts[number];
      std::int64_t next = 0;
      for (std::int64_t rank = 0; rank < ranks; ++rank) {
        auto const rows = own_rows(product.rows, ranks, rank);
        CHECK(rows.first == next);
        CHECK(rows.first % 16 == 0);
        CHECK(rows.count() > 0);
        next = rows.last;
        auto const other = specialized(plan, 7, ranks, true, rank);
        auto const& part = other.entry("train")->broadcasts[number];
        CHECK(part.inputs[0].type.shape == Shape{batch_extent, {rows.count()}});
        CHECK(part.inputs[1].type.shape == Shape{batch_extent, {product.columns}});
        CHECK(part.outputs[0].type.shape == Shape{{rows.count()}, {product.columns}});
        CHECK(part.outputs[0].first_entry == rows.first * product.columns);
        CHECK(message_digest(other) == message_digest(program));
      }
      CHECK(next == product.rows);
    }
  }
  CHECK(own_rows(40, 3, 0) == Rows{0, 16});
  CHECK(own_rows(40, 3, 2) == Rows{32, 40});
  CHECK(own_rows(16, 3, 2) == Rows{16, 16});
}

TEST_CASE("gradients are summed where factors are no gain or do not suffice") {
  auto const products = [](Plan const& plan, std::int64_t mini_batch, std::int64_t ranks,
                           bool one_node) {
    check(plan, mini_batch, {"train", "train"}, ranks, one_node);
    return specialized(plan, mini_batch, ranks, one_node).entry("train")->broadcasts.size();
  };
  CHECK(products(two_wide_layers(), 7, 2, false) == 0);
  CHECK(products(two_wide_layers(), 7, 1, true) == 0);
  CHECK(products(two_wide_layers(), 64, 2, true) == 2);
  CHECK(products(two_wide_layers(), 300, 2, true) == 0);
  CHECK(products(two_wide_layers(), 7, 20, true) == 1);  // 256 rows are 16 pieces
  // Whoever else needs the gradient needs all of it.
  CHECK(products(two_wide_layers("  norm = reduce(w1/gradient) {expression: (multiply(i0, i0)), "
                                 "shape: [256, 512], axes: [1]}\n"),
                 7, 2, true) == 1);
  // Weights may change between steps, or around entry points that check gradients.
  auto const with_entry = [&](std::string const& entry) {
    auto plan = two_wide_layers();
    plan.program = parse_program(to_text(plan.program) + "entry " + entry).value();
    return products(plan, 7, 2, true);
  };
  CHECK(with_entry("set at step_begin from 0:\n") == 2);
  CHECK(with_entry("set at step_begin from 0:\n"
                   "  w1 = map() {expression: (0), shape: [256, 512], types: [f32]}\n") == 0);
  CHECK(with_entry("objective.train:\n") == 0);
}

TEST_CASE("numbers of one type travel and are updated together, whatever stands between them") {
  std::string tensors = "tensor rate: statistic f64 []\n", train = "entry train:\n";
  std::string updates;
  for (int i = 0; i < 6; ++i) {
    auto const w = "w" + std::to_string(i);
    std::string const type = i % 2 == 0 ? "f32" : "f64";
    std::string const fields = ", shape: [20], compute: " + type + ", types: [" + type + "]}\n";
    tensors += "tensor " + w + ": weights " + type + " [20]\n" + "tensor " + w +
               "/gradient: gradient " + type + " [20] of " + w + "\n";
    train += "  " + w + "/gradient = map(" + w + ") {expression: (square(i0))" + fields + "  " + w +
             "/gradient = all_reduce(" + w + "/gradient) {mesh_axes: [data]}\n";
    updates += "  " + w + " = map(" + w + ", " + w +
               "/gradient, rate) {expression: (subtract(i0, " + "multiply(i1, i2)))" + fields;
  }
  auto parsed = parse_program(tensors + train + updates);
  if (!parsed) FAIL(parsed.problem().message);
  Plan plan;
  plan.program = tests::with_batch_split(parsed.value());
  for (std::int64_t ranks : {1, 2, 3}) check(plan, 7, {"train", "train"}, ranks);
  CHECK(instructions(specialized(plan, 7), "train", "map") == 2);
  auto const together = specialized(plan, 7, 2);
  CHECK(instructions(together, "train", "map") == 6 + 2);     // gradients, then updates
  CHECK(instructions(together, "train", "all_reduce") == 3);  // of either type, and status words
}
