// Steps from one distribution to another: as many bytes as at once, in no more messages.
#include "compiler/passes/movements.hpp"

#include <doctest/doctest.h>

#include <random>

#include "schemas/specialization/exchange.hpp"

using namespace lbann;

TEST_CASE("what leaves a dimension moves along one axis after the other") {
  AxisDistribution const samples{.split = {data_axis | rows_axis | columns_axis}};
  AxisDistribution const columns{.split = {data_axis, columns_axis}};
  auto const steps = compiler::steps_between(samples, columns);
  REQUIRE(steps.size() == 2);
  CHECK(steps[0] == AxisDistribution{.split = {data_axis | rows_axis, columns_axis}});
  CHECK(steps[1] == columns);
  // Rows are the outer cut: what the inner ones hold would have to be gathered before.
  CHECK(compiler::steps_between(samples, {.split = {data_axis, rows_axis}}).size() == 1);
  CHECK(compiler::steps_between(samples, {.split = {data_axis}}).size() == 2);
  CHECK(compiler::steps_between(samples, {.split = {}}).size() == 3);
  // Along one axis, or where every rank has what it needs.
  CHECK(compiler::steps_between(columns, {.split = {data_axis}}).size() == 1);
  CHECK(compiler::steps_between({.split = {}}, columns).size() == 1);
}

TEST_CASE("steps send as many bytes as one exchange, in no more messages") {
  std::mt19937 generator(3);
  auto const below = [&](std::int64_t end) {
    return static_cast<std::int64_t>(generator() % static_cast<std::uint64_t>(end));
  };
  std::size_t several = 0, fewer = 0;
  for (int repetition = 0; repetition < 6000; ++repetition) {
    Placement placement;
    placement.mesh = {{"data", 1 + below(2)}, {"rows", 1 + below(3)}, {"columns", 1 + below(3)}};
    Mesh const mesh(placement);
    AxisDistribution from, to;
    for (AxisSet axis = 1; axis <= columns_axis; axis *= 2) {
      auto const before = below(4), after = below(4);
      if (before < 3) from.split[static_cast<std::size_t>(before)] |= axis;
      if (after < 3) to.split[static_cast<std::size_t>(after)] |= axis;
    }
    // Divisible by any part of the mesh.
    Shape const shape{batch_extent, {36}, {72}};
    auto const steps = compiler::steps_between(from, to);
    REQUIRE(steps.back() == to);
    if (steps.size() < 2) continue;
    ++several;
    for (std::int64_t rank = 0; rank < mesh.ranks(); ++rank) {
      auto const once = exchange_size(shape, from, to, 0, mesh, 36, rank);
      ExchangeSize all;
      auto at = from;
      for (auto const& step : steps) {
        auto const size = exchange_size(shape, at, step, 0, mesh, 36, rank);
        all.sent += size.sent;
        all.peers += size.peers;
        at = step;
      }
      CHECK(all.sent == once.sent);
      CHECK(all.peers <= once.peers);
      fewer += all.peers < once.peers ? 1 : 0;
    }
  }
  CHECK(several > 100);
  CHECK(fewer > 100);
}
