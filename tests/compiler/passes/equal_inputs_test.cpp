// How inputs that must be equal become so, told with the complaint.
#include "compiler/passes/equal_inputs.hpp"

#include <doctest/doctest.h>

#include "compiler/passes/graph_passes.hpp"
#include "tests/support/graph_fixture.hpp"

namespace lbann::compiler {

namespace {

/// The label and the last note of the complaint about a sum of `a` and `b`, which these lines say.
struct Told {
  std::string label, note;

  Told(std::string const& children, std::string const& lines) {
    GraphFixture fixture("layer x: input {data_field: \"samples\"} -> " + children + "\n" + lines +
                         "layer sum: sum (a, b) -> end\nlayer end: dummy (sum)\n");
    give_field(fixture.experiment, "samples", {4, 6});
    infer_shapes(fixture.compilation);
    REQUIRE(fixture.codes() == std::vector<std::string>{"unequal-inputs"});
    auto const* found = fixture.compilation.report.sorted().front();
    if (!found->labels.empty()) label = found->labels.back().words;
    note = found->notes.back();
  }
};

}  // namespace

TEST_CASE("the number that a layer would have to have") {
  CHECK(Told("a, b",
             "layer a: fully_connected {num_neurons: 3} (x) -> sum\n"
             "layer b: fully_connected {num_neurons: 5} (x) -> sum\n")
            .label == "`num_neurons: 3` would give [3]");
  // Through layers that keep the dims; and what is given cannot be changed, so the other one is.
  CHECK(Told("c, b",
             "layer c: fully_connected {num_neurons: 3} (x) -> r\nlayer r: relu (c) -> a\n"
             "layer a: tanh (r) -> sum\nlayer b: reshape {dims: [24]} (x) -> sum\n")
            .label == "`num_neurons: 24` would give [24]");
  CHECK(Told("a, b",
             "layer a: identity (x) -> sum\n"
             "layer b: convolution {num_dims: 1, out_channels: 7, kernel_size: [1]} (x) -> sum\n")
            .label == "`out_channels: 4` would give [4, 6]");
}

TEST_CASE("dims of a reshape where there are as many entries, and nothing where there are not") {
  Told const reshaped("a, b",
                      "layer a: identity (x) -> sum\nlayer b: reshape {dims: [6, 4]} (x) -> sum\n");
  CHECK(reshaped.label == "");
  CHECK(reshaped.note ==
        "both have as many entries: `reshape: {dims: [4, 6]}` behind `b` makes them equal");
  Told const other("a, b",
                   "layer a: identity (x) -> sum\n"
                   "layer b: fully_connected {num_neurons: 5} (x) -> sum\n");
  CHECK(other.label == "");
  CHECK(other.note.starts_with("shapes so far"));
}

}  // namespace lbann::compiler
