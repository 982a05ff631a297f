// One sum for all that copies.
#include "compiler/source/budget.hpp"

#include <doctest/doctest.h>

using namespace lbann;
using namespace lbann::compiler;

TEST_CASE("volume of an item: itself and all that it holds, keys by their bytes") {
  compiler::Node node;
  node.kind = compiler::Node::Kind::mapping;
  compiler::Node list;
  list.kind = compiler::Node::Kind::sequence;
  list.items.resize(3);
  list.items[1].text = "four";
  node.entries.push_back({"key", {}, list});
  auto const volume = volume_of(node);
  CHECK(volume.values == 5);
  CHECK(volume.bytes == 7);
}

TEST_CASE("budget: the sum is bounded, and told once") {
  Budget budget;
  Report report;
  Span const place{0, 3, 4};
  CHECK(budget.take({Budget::most_values, 5}, place, "aliases", report));
  CHECK_FALSE(budget.exhausted());
  CHECK_FALSE(budget.take({1, 0}, place, "variables", report));
  CHECK(budget.exhausted());
  CHECK_FALSE(budget.take({0, 0}, place, "variables", report));
  REQUIRE(report.diagnostics().size() == 1);
  auto const& said = report.diagnostics().front();
  CHECK(said.span == place);
  CHECK(said.message ==
        "with what variables add here, the experiment grows by more than a million values");

  Budget bytes;
  CHECK(bytes.take({0, Budget::most_bytes}, place, "aliases", report));
  CHECK_FALSE(bytes.take({0, 1}, place, "aliases", report));
  CHECK(report.diagnostics().back().message ==
        "with what aliases add here, the experiment grows by more than 64 MiB of text");
}
