// The passes of specialization: what each leaves, and that what it breaks is noticed.
#include "schemas/specialization/pipeline.hpp"

#include <doctest/doctest.h>

#include "schemas/specialization/specialization.hpp"
#include "tests/schemas/specialization/random_program.hpp"
#include "tests/support/batch_split.hpp"
#include "tests/support/expected.hpp"
#include "tests/support/small_plan.hpp"

using namespace lbann;

namespace {

Placement place_of(std::int64_t ranks, bool one_node, std::int64_t rank = 0) {
  Placement placement;
  placement.mesh = {{"data", ranks}};
  placement.one_node = one_node;
  placement.rank = rank;
  placement.mini_batch = 6;
  return placement;
}

/// Two fully connected layers on several ranks: one whose gradient is large, one with a bias.
Plan two_layers() {
  auto parsed = parse_program(
      "tensor x: input f32 [batch, 256]\n"
      "tensor w1: weights f32 [128, 256]\ntensor w2: weights f32 [4, 128]\n"
      "tensor b2: weights f32 [4]\n"
      "tensor w1/gradient: gradient f32 [128, 256] of w1\n"
      "tensor w2/gradient: gradient f32 [4, 128] of w2\n"
      "tensor b2/gradient: gradient f32 [4] of b2\n"
      "tensor h: activation f32 [batch, 128]\ntensor flat: activation f32 [batch, 4]\n"
      "tensor y: activation f32 [batch, 4]\ntensor dh: activation f32 [batch, 128]\n"
      "tensor parts: activation f64 []\ntensor loss: result f64 []\n"
      "entry train:\n"
      "  h = matmul(x, w1) {transpose_b: true}\n"
      "  flat = matmul(h, w2) {transpose_b: true}\n"
      "  y = map(flat, b2) {expression: (add(i0, i1)), shape: [batch, 4], types: [f32]}\n"
      "  parts = reduce(y) {expression: (i0), shape: [batch, 4], axes: [0, 1], type: f64}\n"
      "  loss = all_reduce(parts) {mesh_axes: [data]}\n"
      "  dh = matmul(y, w2)\n"
      "  b2/gradient = reduce(y) {expression: (i0), shape: [batch, 4], axes: [0]}\n"
      "  b2/gradient = all_reduce(b2/gradient) {mesh_axes: [data]}\n"
      "  w2/gradient = matmul(y, h) {transpose_a: true}\n"
      "  w2/gradient = all_reduce(w2/gradient) {mesh_axes: [data]}\n"
      "  w1/gradient = matmul(dh, x) {transpose_a: true}\n"
      "  w1/gradient = all_reduce(w1/gradient) {mesh_axes: [data]}\n"
      "  b2 = map(b2, b2/gradient) {expression: (subtract(i0, i1)), shape: [4], types: [f32]}\n"
      "  w2 = map(w2, w2/gradient) {expression: (subtract(i0, i1)), shape: [4, 128], types: "
      "[f32]}\n"
      "  w1 = map(w1, w1/gradient) "
      "{expression: (subtract(i0, i1)), shape: [128, 256], types: [f32]}\n");
  if (!parsed) FAIL(parsed.problem().message);
  Plan plan;
  plan.program = tests::with_batch_split(parsed.value());
  return plan;
}

std::string fault_of(Specialization const& specialization) {
  std::vector<std::string_view> names;
  for (auto const& pass : specialization_passes()) names.push_back(pass.name);
  return verify(specialization, names).value_or("");
}

/// The fault of two layers on two ranks after `change`.
template <class Change>
std::string fault_after(Change change) {
  auto const plan = two_layers();
  auto const placement = place_of(2, false);
  Specialization specialization(plan, placement);
  REQUIRE(run_passes(specialization).good());
  REQUIRE(fault_of(specialization) == "");
  change(specialization);
  return fault_of(specialization);
}

void drop_scratch(Specialization& specialization) {
  for (auto& entry : specialization.scratch)
    for (auto& slot : entry) slot.used = false;
}

Slot& slot_of(Specialization& specialization, std::string_view name) {
  auto const& tensors = specialization.program.tensors;
  auto const at = std::ranges::find(tensors, name, &Tensor::name);
  REQUIRE(at != tensors.end());
  return specialization.slots[static_cast<std::size_t>(at - tensors.begin())];
}

bool contains(std::string const& text, std::string_view words) {
  return text.find(words) != std::string::npos;
}

}  // namespace

TEST_CASE("what each pass of specialization leaves, on one rank, two nodes and one node") {
  auto const plan = two_layers();
  for (auto const& [name, placement] :
       {std::pair("one_rank", place_of(1, true)), std::pair("two_nodes", place_of(2, false, 1)),
        std::pair("one_node", place_of(2, true))})
    for (auto const& pass : specialization_passes()) {
      auto const dump = dump_after(pass.name, plan, placement);
      REQUIRE(dump.good());
      CHECK(dump.value().fault.value_or("") == "");
      CHECK(tests::difference("tests/schemas/specialization/" + std::string(name) + ".txt",
                              pass.name, dump.value().text) == "");
    }
}

TEST_CASE("weights are gathered while the layer before computes") {
  std::string const shape = "{transpose_b: true}\n";
  std::string const gather = " {mesh_axes: [data]}\n";
  auto parsed = parse_program(
      "tensor x: input f32 [batch, 4] split [[data, rows, columns], []]\n"
      "tensor w1: weights f32 [4, 4] split [[data], []]\n"
      "tensor w2: weights f32 [4, 4] split [[data], []]\n"
      "tensor w3: weights f32 [4, 4] split [[data], []]\n"
      "tensor g1: activation f32 [4, 4]\ntensor g2: activation f32 [4, 4]\n"
      "tensor g3: activation f32 [4, 4]\ntensor g4: activation f32 [4, 4]\n"
      "tensor y1: activation f32 [batch, 4] split [[data, rows, columns], []]\n"
      "tensor y2: activation f32 [batch, 4] split [[data, rows, columns], []]\n"
      "tensor y3: activation f32 [batch, 4] split [[data, rows, columns], []]\n"
      "tensor y4: activation f32 [batch, 4] split [[data, rows, columns], []]\n"
      "tensor sum: activation f64 [] partial [data, rows, columns]\n"
      "tensor all: activation f64 []\ntensor loss: result f64 []\n"
      "entry train:\n"
      "  g1 = all_gather(w1)" +
      gather + "  y1 = matmul(x, g1) " + shape + "  g2 = all_gather(w2)" + gather +
      "  y2 = matmul(y1, g2) " + shape + "  g3 = all_gather(w3)" + gather +
      "  y3 = matmul(y2, g3) " + shape +
      "  sum = reduce(y3) {expression: (i0), shape: [batch, 4], axes: [0, 1], type: f64}\n"
      "  all = all_reduce(sum) {mesh_axes: [data, rows, columns]}\n"
      "  w1 = map(w1, all) {expression: (add(i0, i1)), shape: [4, 4], types: [f32]}\n"
      "  g4 = all_gather(w1)" +
      gather + "  y4 = matmul(y3, g4) " + shape +
      "  loss = reduce(y4) {expression: (i0), shape: [batch, 4], axes: [0, 1], type: f64}\n"
      "  loss = all_reduce(loss) {mesh_axes: [data, rows, columns]}\n");
  REQUIRE_MESSAGE(parsed.good(), (parsed.good() ? "" : parsed.problem().message));
  Plan plan;
  plan.program = parsed.value();
  REQUIRE(verify_distribution(plan.program).value_or("") == "");
  auto const order = [&](std::int64_t ranks) {
    auto placement = place_of(ranks, false);
    placement.mesh = {{"data", ranks}, {"rows", 1}, {"columns", 1}};
    Specialization specialization(plan, placement);
    REQUIRE(run_passes(specialization).good());
    REQUIRE(fault_of(specialization) == "");
    std::string names;
    for (auto const& instruction : specialization.program.entry_point("train")->instructions)
      names += specialization.program[instruction.outputs[0]].name + " ";
    return names;
  };
  CAPTURE(order(2));
  // Not before the weights are written.
  CHECK(contains(order(2), "g1 g2 y1 g3 y2 y3 sum train/status .. sum w1 g4 y4 loss"));
  CHECK(contains(order(1), "y1 y2 y3"));
}

TEST_CASE("passes keep what must hold, whatever the program") {
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    Plan plan;
    plan.program = tests::random_program(seed, 2 + seed % 40);
    CAPTURE(seed);
    for (std::int64_t ranks : {1, 2, 3})
      for (bool one_node : {false, true}) {
        auto const dump = dump_after("", plan, place_of(ranks, one_node, ranks - 1));
        REQUIRE(dump.good());
        CHECK(dump.value().fault.value_or("") == "");
      }
  }
  auto const small = dump_after("", tests::small_plan(), place_of(3, true));
  REQUIRE(small.good());
  CHECK(small.value().fault.value_or("") == "");
}

TEST_CASE("what a pass breaks is found") {
  CHECK(contains(fault_after([](Specialization& one) {
                   drop_scratch(one);
                   slot_of(one, "h").offset = slot_of(one, "dh").offset;
                 }),
                 "`h` was written over"));
  CHECK(contains(fault_after([](Specialization& one) {
                   drop_scratch(one);
                   slot_of(one, "h").offset = slot_of(one, "y").offset;
                 }),
                 "`y` is written over `h` while that is read"));
  CHECK(contains(fault_after([](Specialization& one) { slot_of(one, "dh").offset = 0; }),
                 "scratch overlaps `dh`"));
  CHECK(contains(fault_after([](Specialization& one) { slot_of(one, "h").offset += 4; }),
                 "`h` is not aligned"));
  CHECK(contains(fault_after([](Specialization& one) {
                   slot_of(one, "h").offset =
                       one.arena_bytes[static_cast<std::size_t>(Arena::activations)] / 64 * 64;
                 }),
                 "`h` leaves its arena"));
  CHECK(contains(fault_after([](Specialization& one) {
                   slot_of(one, "w2").offset = slot_of(one, "w1").offset;
                 }),
                 "begins where another tensor does"));
  CHECK(contains(fault_after([](Specialization& one) { slot_of(one, "w2").offset += 64; }),
                 "`w2` overlaps `w1`"));
  CHECK(contains(fault_after([](Specialization& one) { slot_of(one, "b2 .. w1").bytes -= 64; }),
                 "`w1` leaves its range `b2 .. w1`"));
  CHECK(contains(fault_after([](Specialization& one) {
                   auto& product = one.program.entry_points[0].instructions[1];
                   std::swap(product.inputs[0], product.inputs[1]);
                 }),
                 "h = matmul(w1, x)"));
  // The loss is on its way from instruction 4 to the end, `dh` is computed by instruction 5.
  CHECK(contains(fault_after([](Specialization& one) {
                   drop_scratch(one);
                   slot_of(one, "loss") = slot_of(one, "dh");
                 }),
                 "`dh` is written over `loss`, which is on its way to other ranks"));
  CHECK(contains(fault_after([](Specialization& one) {
                   one.storage[0] = TensorId(1);
                   one.storage[1] = TensorId(0);
                 }),
                 "owns memory and lies in that of another"));
}

TEST_CASE("an impossible placement is a problem, not a dump") {
  CHECK(dump_after("bind", two_layers(), place_of(2, false, 2)).problem().message ==
        "the program cannot be placed: rank 2 is outside a mesh of 2");
}
