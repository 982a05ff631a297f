// Meshes that are possible, and what makes a run fit.
#include "schemas/reports/fits.hpp"

#include <doctest/doctest.h>

#include <algorithm>

#include "schemas/program/distribution.hpp"
#include "schemas/reports/products.hpp"
#include "schemas/reports/report.hpp"

using namespace lbann;

namespace {

/// A product of a mini-batch and weights [64, 32] in two dimensions.
Plan split_plan(bool split = true) {
  std::string const over = split ? " split [[rows], [columns]]" : "";
  std::string const batch = split ? "[[data, rows, columns], []]" : "[[data], []]";
  auto text =
      "tensor x: input f32 [batch, 32] split " + batch + "\ntensor w: weights f32 [64, 32]" + over +
      "\ntensor sum: result f64 []\n" +
      (split ? "tensor moved: activation f32 [batch, 32] split [[data], [columns]]\n"
               "tensor part: activation f32 [batch, 64] split [[data], [rows]] partial [columns]\n"
               "tensor y: activation f32 [batch, 64] split [[data, columns], [rows]]\n"
               "entry train:\n"
               "  moved = all_to_all(x) {mesh_axes: [rows, columns]}\n"
               "  part = matmul(moved, w) {transpose_b: true}\n"
               "  y = reduce_scatter(part) {mesh_axes: [columns]}\n"
               "  sum = reduce(y) {expression: (i0), shape: [batch, 64], axes: [0, 1], type: f64}\n"
               "  sum = all_reduce(sum) {mesh_axes: [data, rows, columns]}\n"
             : "tensor y: activation f32 [batch, 64] split [[data], []]\n"
               "entry train:\n"
               "  y = matmul(x, w) {transpose_b: true}\n"
               "  sum = reduce(y) {expression: (i0), shape: [batch, 64], axes: [0, 1], type: f64}\n"
               "  sum = all_reduce(sum) {mesh_axes: [data]}\n");
  auto parsed = parse_program(text);
  REQUIRE_MESSAGE(parsed.good(), (parsed.good() ? "" : parsed.problem().message));
  Plan plan;
  plan.program = std::move(parsed).value();
  plan.mini_batch_size = 12;
  REQUIRE(!verify_distribution(plan.program));
  return plan;
}

std::string mesh_for(Plan const& plan, MeshRequest request, std::int64_t ranks) {
  auto const mesh = choose_mesh(plan, request, ranks, 12);
  return mesh ? to_text(mesh.value()) : mesh.problem().message;
}

}  // namespace

TEST_CASE("meshes are read, and what is none is named") {
  CHECK(parse_mesh("rows=2,columns=3").value() == MeshRequest{0, 2, 3});
  CHECK(parse_mesh("data=4").value() == MeshRequest{4, 0, 0});
  for (auto const* wrong :
       {"", "rows", "rows=", "rows=0", "rows=-1", "rows=2,", "rows=2,rows=2", "lines=2", "rows=2x"})
    CHECK_MESSAGE(!parse_mesh(wrong).good(), wrong);
}

TEST_CASE("what is not said of a mesh is chosen") {
  auto const plan = split_plan();
  CHECK(mesh_for(plan, {0, 2, 2}, 4) == "data 1, rows 2, columns 2");
  CHECK(mesh_for(plan, {2, 2, 0}, 4) == "data 2, rows 2, columns 1");
  CHECK(mesh_for(plan, {0, 3, 0}, 4).find("rows 3 cannot be made of 4 ranks") != std::string::npos);
  CHECK(mesh_for(split_plan(false), {}, 4) == "data 4, rows 1, columns 1");
  CHECK(mesh_for(split_plan(false), {0, 2, 0}, 4).find("splits nothing") != std::string::npos);
  auto asking = plan;
  asking.mesh = {0, 4, 1};
  CHECK(mesh_for(asking, {}, 4) == "data 1, rows 4, columns 1");
  CHECK(mesh_for(asking, {0, 0, 4}, 4) == "data 1, rows 1, columns 4");
  auto const all = possible_meshes(plan, {}, 12, 12);
  REQUIRE(all.good());
  CHECK(all.value().size() == 18);
  for (std::size_t i = 1; i < all.value().size(); ++i)
    CHECK(all.value()[i - 1].bytes_sent <= all.value()[i].bytes_sent);
}

TEST_CASE("weights sharded along rows or columns stand on a grid nearly square") {
  auto const parsed = parse_program(
      "tensor x: input f32 [batch, 32] split [[data, rows, columns], []]\n"
      "tensor w: weights f32 [64, 32] split [[rows], []]\n"
      "tensor whole: activation f32 [64, 32]\n"
      "tensor y: activation f32 [batch, 64] split [[data, rows, columns], []]\n"
      "tensor sum: result f64 []\n"
      "entry train:\n"
      "  whole = all_gather(w) {mesh_axes: [rows]}\n"
      "  y = matmul(x, whole) {transpose_b: true}\n"
      "  sum = reduce(y) {expression: (i0), shape: [batch, 64], axes: [0, 1], type: f64}\n"
      "  sum = all_reduce(sum) {mesh_axes: [data, rows, columns]}\n");
  REQUIRE_MESSAGE(parsed.good(), (parsed.good() ? "" : parsed.problem().message));
  Plan plan;
  plan.program = parsed.value();
  plan.mini_batch_size = 12;
  REQUIRE(!verify_distribution(plan.program));
  CHECK(mesh_for(plan, {}, 12) == "data 1, rows 3, columns 4");
  CHECK(mesh_for(plan, {}, 7) == "data 1, rows 1, columns 7");
  CHECK(mesh_for(plan, {0, 6, 0}, 12).find("rows 6") != std::string::npos);
}

TEST_CASE("bytes sent are those that leave a rank") {
  Placement placement;
  placement.mesh = {{"data", 1}, {"rows", 2}, {"columns", 2}};
  placement.mini_batch = 12;
  auto const program = specialize(split_plan(), placement);
  REQUIRE(program.good());
  // x: 3 samples of each rank, 16 of their numbers to three others; y: half of 12 samples of 32;
  // the sum and the status words at 2 * 3 / 4.
  CHECK(bytes_sent(program.value(), *program.value().entry("train")) ==
        (3 * 16 * 3 + 6 * 32) * 4 + (56 + 8) * 2 * 3 / 4);
}

TEST_CASE("products send the least there is where their parts are square") {
  auto plan = split_plan();
  plan.program.entry_points[0].name = "evaluate";
  auto const ratio = [&](std::int64_t rows, std::int64_t columns, std::int64_t data = 1) {
    Placement placement;
    placement.mesh = {{"data", data}, {"rows", rows}, {"columns", columns}};
    placement.mini_batch = 48;
    auto const program = specialize(plan, placement);
    REQUIRE(program.good());
    auto const products = report_products(program.value());
    REQUIRE(products.size() == 1);
    CHECK(products[0].inputs == 32);
    CHECK(products[0].outputs == 64);
    return static_cast<double>(products[0].sent) / products[0].bound;
  };
  // 64 outputs / 2 rows = 32 inputs / 1 column.
  CHECK(ratio(2, 1) == doctest::Approx(1));
  CHECK(ratio(2, 1, 3) == doctest::Approx(1));
  CHECK(ratio(4, 1) > 1.05);
  CHECK(ratio(1, 4) > 1.5);
}

TEST_CASE("checkpoints are cut from whole tensors, whatever part of them a rank holds") {
  Placement placement;
  placement.mesh = {{"data", 1}, {"rows", 2}, {"columns", 2}};
  placement.mini_batch = 12;
  auto const program = specialize(split_plan(), placement);
  REQUIRE(program.good());
  auto const report = report_memory(program.value());
  CHECK(report.bytes[static_cast<std::size_t>(MemoryClass::weights)] == 64 * 32);
  CHECK(report.checkpoint_copy == 64 * 32 * 4);
}

TEST_CASE("what does not fit is told with edits that do") {
  auto const plan = split_plan();
  RunSize size;
  size.ranks = 4;
  size.threads = 1;
  size.mesh = {4, 0, 0};
  auto const roomy = fit(plan, size, 1 << 20);
  REQUIRE(roomy.good());
  CHECK(roomy.value().fits());
  CHECK(roomy.value().edits.empty());
  auto const limit = roomy.value().needed - 1;
  auto const tight = fit(plan, size, limit);
  REQUIRE(tight.good());
  CHECK(!tight.value().fits());
  auto const& items = tight.value().items;
  auto const w = std::ranges::find(items, "`w` with gradient and moments", &LargeItem::name);
  REQUIRE(w != items.end());
  CHECK(w->bytes == 64 * 32 * 4);
  CHECK(std::ranges::is_sorted(items, std::ranges::greater{}, &LargeItem::bytes));
  REQUIRE(!tight.value().edits.empty());
  CHECK(tight.value().edits.front().words.starts_with("--mesh data="));
  for (auto const& edit : tight.value().edits) CHECK(edit.bytes <= limit);
  CHECK(to_words(tight.value().edits).starts_with("; it fits with --mesh data="));
  auto const nothing = fit(plan, size, 1);
  REQUIRE(nothing.good());
  CHECK(nothing.value().edits.empty());
  CHECK(to_words(nothing.value().edits).empty());
}
