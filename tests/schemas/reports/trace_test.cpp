// Machines, and when a rank does what on one.
#include "schemas/reports/trace.hpp"

#include <doctest/doctest.h>

#include "schemas/program/distribution.hpp"
#include "schemas/reports/flops.hpp"
#include "schemas/reports/messages.hpp"
#include "tests/schemas/specialization/plan_of.hpp"
#include "tests/schemas/specialization/random_program.hpp"

using namespace lbann;

namespace {

/// Two products with sharded weights [64, 64]; the gather of the second can travel while the first
/// is computed.
Plan two_products() {
  auto plan = tests::plan_of(
      "tensor x: input f32 [batch, 64] split [[data, rows, columns], []]\n"
      "tensor w1: weights f32 [64, 64] split [[data], []]\n"
      "tensor w2: weights f32 [64, 64] split [[data], []]\n"
      "tensor g1: activation f32 [64, 64]\ntensor g2: activation f32 [64, 64]\n"
      "tensor y: activation f32 [batch, 64] split [[data, rows, columns], []]\n"
      "tensor z: activation f32 [batch, 64] split [[data, rows, columns], []]\n"
      "tensor loss: result f64 []\n"
      "entry evaluate:\n"
      "  g1 = all_gather(w1) {mesh_axes: [data]}\n"
      "  y = matmul(x, g1) {transpose_b: true}\n"
      "  g2 = all_gather(w2) {mesh_axes: [data]}\n"
      "  z = matmul(y, g2) {transpose_b: true}\n"
      "  loss = reduce(z) {expression: (i0), shape: [batch, 64], axes: [0, 1], type: f64}\n"
      "  loss = all_reduce(loss) {mesh_axes: [data, rows, columns]}\n",
      8);
  return plan;
}

SpecializedProgram on_four_ranks(Plan const& plan) {
  Placement placement;
  placement.mesh = {{"data", 4}, {"rows", 1}, {"columns", 1}};
  placement.mini_batch = 8;
  auto program = specialize(plan, placement);
  REQUIRE(program.good());
  return std::move(program).value();
}

TracedInstruction const& find(EntryTrace const& trace, std::string const& op, int which = 0) {
  for (auto const& each : trace.instructions)
    if (each.op == op && which-- == 0) return each;
  FAIL("no " << op);
  return trace.instructions.front();
}

}  // namespace

TEST_CASE("machines are read, and what is none is named") {
  auto const machine = parse_machine("flops=4e10,latency=0");
  REQUIRE(machine.good());
  CHECK(machine.value().flops == 4e10);
  CHECK(machine.value().latency == 0);
  CHECK(machine.value().memory == Machine{}.memory);
  for (auto const* wrong : {"", "flops", "flops=", "flops=0", "flops=-1", "memory=inf",
                            "network=nan", "flops=1,", "flops=1,flops=2", "cores=2", "flops=2x"})
    CHECK_MESSAGE(!parse_machine(wrong).good(), wrong);
}

TEST_CASE("an instruction takes as long as its operations or its bytes") {
  auto const program = on_four_ranks(two_products());
  // 2 samples of 64 on this rank: 2 * 2 * 64 * 64 operations; 64 * 64, 2 * 64 and 2 * 64 numbers.
  auto const bytes = 4.0 * (64 * 64 + 4 * 64);
  auto const slow = report_trace(program, {1e6, 1e12, 1e12, 0}).front();
  CHECK(find(slow, "matmul").seconds == doctest::Approx(16384 / 1e6));
  CHECK(find(slow, "matmul").flops == 16384);
  auto const narrow = report_trace(program, {1e15, 1e6, 1e12, 0}).front();
  CHECK(find(narrow, "matmul").seconds == doctest::Approx(bytes / 1e6));
  CHECK(find(narrow, "matmul").bytes == static_cast<std::int64_t>(bytes));
}

TEST_CASE("a message travels while what does not need it is computed") {
  auto const program = on_four_ranks(two_products());
  // The status words, 7 f64, are summed first, in 4 rounds; a gather sends 16 rows of 64 numbers to
  // each of three peers.
  double const status = 4e-3 + 7 * 8 / 4 * 6 / 1e6, gather = 3 * (1e-3 + 16 * 64 * 4 / 1e6);
  auto const trace = report_trace(program, {1e6, 1e12, 1e6, 1e-3}).front();
  CHECK(find(trace, "all_reduce").arrives == doctest::Approx(status));
  auto const &first = find(trace, "all_gather"), &second = find(trace, "all_gather", 1);
  CHECK(first.peers == 3);
  CHECK(first.bytes == 3 * 16 * 64 * 4);
  CHECK(first.begin == 0);
  CHECK(first.arrives == doctest::Approx(status + gather));
  // The second is posted at once and leaves behind the first.
  CHECK(second.begin == 0);
  CHECK(second.arrives == doctest::Approx(status + 2 * gather));
  auto const &one = find(trace, "matmul"), &two = find(trace, "matmul", 1);
  CHECK(one.waited == doctest::Approx(status + gather));
  CHECK(two.begin == doctest::Approx(status + gather + 16384 / 1e6));
  CHECK(two.waited == doctest::Approx(std::max(0.0, second.arrives - two.begin)));
  // The sum at the end is waited for.
  auto const& sum = find(trace, "all_reduce", 1);
  CHECK(sum.arrives == doctest::Approx(sum.begin + 4e-3 + 8 / 4 * 6 / 1e6));
  CHECK(trace.seconds == doctest::Approx(sum.arrives));
}

TEST_CASE("a panel is multiplied while the next one travels") {
  auto const traced = [](std::int64_t block_size) {
    auto plan = tests::plan_of(
        "tensor samples: input f32 [batch, 64] split [[data, rows, columns], []]\n"
        "tensor x: activation f32 [batch, 64] split [[data, rows], [columns]]\n"
        "tensor w: weights f32 [64, 64] split [[rows], [columns]]\n"
        "tensor moved: activation f32 [batch, 64] split [[data], [columns]]\n"
        "tensor part: activation f32 [batch, 64] split [[data], [rows]] partial [columns]\n"
        "tensor y: activation f32 [batch, 64] split [[data, columns], [rows]]\n"
        "tensor sum: activation f64 [] partial [data, rows, columns]\n"
        "tensor loss: result f64 []\n"
        "entry evaluate:\n"
        "  x = all_to_all(samples) {mesh_axes: [columns]}\n"
        "  moved = all_gather(x) {mesh_axes: [rows]}\n"
        "  part = matmul(moved, w) {transpose_b: true}\n"
        "  y = reduce_scatter(part) {mesh_axes: [columns]}\n"
        "  sum = reduce(y) {expression: (i0), shape: [batch, 64], axes: [0, 1], type: f64}\n"
        "  loss = all_reduce(sum) {mesh_axes: [data, rows, columns]}\n",
        32);
    plan.hydrogen_block_size = block_size;
    Placement placement;
    placement.mesh = {{"data", 1}, {"rows", 2}, {"columns", 2}};
    placement.mini_batch = 32;
    auto program = specialize(plan, placement);
    REQUIRE(program.good());
    // A panel of 8 samples is multiplied in 8 * 2 * 32 * 32 / 1e6 seconds, and sent in the half of
    // it: 4 samples of 32 numbers of 4 bytes.
    return report_trace(program.value(), {1e6, 1e12, 1e6 / 16, 0}).front();
  };
  auto const whole = traced(0), panels = traced(8);
  double const product = 8 * 2 * 32 * 32 / 1e6, sent = 4 * 32 * 4 / (1e6 / 16);
  CHECK(product == doctest::Approx(2 * sent));
  for (int panel = 0; panel < 4; ++panel) {
    auto const& gather = find(panels, "all_gather", panel);
    // All are posted before anything is multiplied.
    CHECK(gather.begin + gather.waited <= find(panels, "matmul", 0).begin);
    CHECK(gather.bytes == 4 * 32 * 4);
    auto const& multiplied = find(panels, "matmul", panel);
    CHECK(multiplied.seconds == doctest::Approx(product));
    if (panel == 0) continue;
    // It had arrived while the one before was multiplied, on its way since.
    auto const& before = find(panels, "matmul", panel - 1);
    CHECK(multiplied.waited == 0);
    CHECK(gather.arrives > find(panels, "matmul", 0).begin);
    CHECK(gather.arrives < multiplied.begin);
    CHECK(find(panels, "reduce_scatter", panel - 1).begin ==
          doctest::Approx(before.begin + before.waited + before.seconds));
  }
  // The last panel alone is waited for when it is scattered.
  auto const& last = find(panels, "reduce_scatter", 3);
  auto const& sum = find(panels, "reduce");
  CHECK(sum.waited == doctest::Approx(last.arrives - last.begin));
  CHECK(last.arrives - last.begin == doctest::Approx(sent));
  // All at once, products wait for the gather and the sum for the product.
  CHECK(find(whole, "matmul").waited > 3.9 * sent);
  CHECK(find(whole, "reduce").waited == doctest::Approx(4 * sent));
  CHECK(panels.seconds < whole.seconds - 5.9 * sent);
}

TEST_CASE("traces are of the same operations and messages as the other reports") {
  for (std::uint64_t seed = 0; seed < 30; ++seed) {
    Plan plan;
    plan.program = tests::random_program(seed, 2 + seed % 40);
    CAPTURE(seed);
    Placement placement;
    placement.mesh = {{"data", 3}};
    placement.one_node = seed % 2 == 0;
    placement.mini_batch = 6;
    auto const program = specialize(plan, placement);
    REQUIRE(program.good());
    auto const traces = report_trace(program.value(), {});
    auto const flops = report_flops(program.value());
    auto const messages = report_messages(program.value());
    REQUIRE(traces.size() == flops.size());
    for (std::size_t e = 0; e < traces.size(); ++e) {
      std::int64_t sum = 0;
      std::size_t sends = 0;
      double end = 0;
      for (auto const& each : traces[e].instructions) {
        sum += each.flops;
        if (each.peers > 0) ++sends;
        CHECK(each.begin >= end);
        end = each.begin + each.waited + each.seconds;
      }
      CHECK(sum == flops[e].total);
      CHECK(traces[e].seconds >= end);
      std::size_t collectives = 0;
      for (auto const& message : messages[e].messages)
        if (message.kind != "gather") ++collectives;
      CHECK(sends == collectives);
    }
  }
}
