// Tests of what passes on the graph complain of.
#include <doctest/doctest.h>

#include "compiler/experiment/probing/data_fields.hpp"
#include "compiler/passes/graph_passes.hpp"
#include "schemas/data_readers/list.hpp"
#include "tests/support/graph_fixture.hpp"

namespace lbann::compiler {
namespace {

using Codes = std::vector<std::string>;

/// Diagnostics of `pass` on a graph.
template <class Prepare>
std::vector<Diagnostic> complaints(void (*pass)(Compilation&), std::string_view text,
                                   Prepare prepare) {
  GraphFixture fixture(text);
  prepare(fixture.experiment);
  pass(fixture.compilation);
  return fixture.report.diagnostics();
}

std::vector<Diagnostic> complaints(void (*pass)(Compilation&), std::string_view text) {
  return complaints(pass, text, [](Experiment&) {});
}

Codes codes(std::vector<Diagnostic> const& diagnostics) {
  Codes codes;
  for (auto const& diagnostic : diagnostics) codes.emplace_back(diagnostic.info->code);
  return codes;
}

constexpr auto one_field = R"(
layer x: input {data_field: "sample"} -> a
layer a: relu (x) -> b
layer b: pooling {pool_dims: [4]} (a) -> b_split
layer b_split: split (b) -> c by insert_split_layers
layer c: pooling {pool_dims: [4]} (b_split:0) -> d
layer d: dummy (c)
)";

}  // namespace

TEST_CASE("ambiguous outputs") {
  auto const many = complaints(insert_identity_layers,
                               "layer x: input {data_field: \"s\"} -> p\n"
                               "layer p: slice {slice_points: [0, 1, 2]} (x) -> a, b, c\n"
                               "layer a: relu (p)\nlayer b: relu (p)\nlayer c: relu (p)\n");
  REQUIRE(codes(many) == Codes{"ambiguous-output"});
  CHECK(many[0].message == "`p` has 2 outputs and is named without one by `a`, `b`, `c`");
  CHECK(many[0].suggestions == std::vector<std::string>{"p.0", "p.1"});
  CHECK(codes(complaints(insert_identity_layers,
                         "layer x: input {data_field: \"s\"} -> p\n"
                         "layer p: slice {slice_points: [0, 1, 2]} (x) -> a, b\n"
                         "layer a: relu (p:0)\nlayer b: relu (p)\n")) == Codes{"ambiguous-output"});
}

TEST_CASE("weights of another layer") {
  auto const of = [](std::string const& layer) {
    return codes(complaints(resolve_weights,
                            "layer x: input {data_field: \"s\"} -> a dims [4]\n"
                            "layer a: fully_connected {num_neurons: 4} (x) -> t dims [4]\n"
                            "layer t: " +
                                layer + "\nlayer z: dummy (t)\n"));
  };
  CHECK(of("fully_connected {num_neurons: 4} (a) -> z dims [4] weights_of a") == Codes{});
  CHECK(of("relu (a) -> z dims [4] weights_of a") == Codes{"no-effect"});
  CHECK(of("fully_connected {num_neurons: 4} (a) -> z dims [4] weights_of t") ==
        Codes{"layer-cycle"});
  CHECK(of("fully_connected {num_neurons: 4, has_bias: false} (a) -> z dims [4] weights_of a") ==
        Codes{"weights-count"});
  CHECK(of("fully_connected {num_neurons: 3} (a) -> z dims [3] weights_of a") ==
        Codes{"weights-dims-clash", "weights-dims-clash"});
  CHECK(of("fully_connected {num_neurons: 4} (a) -> z dims [4] weights_of a freeze") ==
        Codes{"weights-freeze-clash", "weights-freeze-clash"});
}

TEST_CASE("an objective needs an output") {
  CHECK(codes(complaints(insert_evaluation_layers,
                         "layer x: input {data_field: \"s\"} -> d\nlayer d: dummy (x)\n"
                         "objective d scale 1\n")) == Codes{"parent-without-output"});
}

TEST_CASE("data fields") {
  auto run = [](auto prepare) { return complaints(infer_shapes, one_field, prepare); };
  CHECK(codes(run([](Experiment&) {})) == Codes{"no-data-reader"});
  auto const unknown = run([](Experiment& e) { give_field(e, "samples", {1, 16, 16}); });
  REQUIRE(codes(unknown) == Codes{"unknown-data-field"});
  CHECK(unknown[0].suggestions == std::vector<std::string>{"samples"});
  CHECK(codes(run([](Experiment& e) { give_field(e, "sample", {}); })) ==
        Codes{"unknown-field-dims"});
  auto const missing = run([](Experiment& e) {
    give_field(e, "sample", {});
    e.readers[0].fields[0].unknown_because = "there is no file `x.npy` here to tell";
    e.readers[0].fields[0].missing_file = Span{0, 1, 3};
  });
  REQUIRE(codes(missing) == Codes{"missing-data-file"});
  CHECK(missing[0].message ==
        "there is no file `x.npy` here to tell the dims of data field `sample`");
  CHECK(missing[0].span == Span{0, 1, 3});
  auto const clash = run([](Experiment& e) {
    give_field(e, "sample", {1, 16, 16});
    e.readers.push_back(e.readers[0]);
    e.readers[1].role = ExecutionMode::testing;
    e.readers[1].fields[0].dims = {1, 16, 15};
  });
  REQUIRE(codes(clash) == Codes{"field-dims-clash"});
  CHECK(clash[0].message ==
        "data field `sample` has dims [1, 16, 16] in the train data but [1, 16, 15] in the test "
        "data");
}

TEST_CASE("dims of data fields that layers imply") {
  auto run = [&](std::string_view text, DeclarationType const* reader, std::string_view field) {
    return complaints(infer_shapes, text, [&](Experiment& e) {
      give_field(e, "samples", {3});
      if (field == "samples") e.readers[0].fields.clear();
      give_field(e, std::string(field), {});
      e.readers[0].declaration.type = reader;
      e.readers[0].runs_user_code = reader->name == data_readers::python::name;
    });
  };
  constexpr std::string_view cut =
      "layer x: input {data_field: \"samples\"} -> p\n"
      "layer p: slice {slice_points: [0, 2, 7]} (x) -> a, b\n"
      "layer a: dummy (p:0)\nlayer b: dummy (p:1)\n";
  auto const flat = run(cut, detail::inner_type<data_readers::numpy>(), "samples");
  REQUIRE(codes(flat) == Codes{"field-dims-assumed"});
  CHECK(flat[0].message ==
        "the dims of data field `samples` are not known; [7] are assumed, as `p` takes them");
  // A module can be asked.
  CHECK(codes(run(cut, detail::inner_type<data_readers::python>(), "samples")) ==
        Codes{"unknown-field-dims"});
  CHECK(codes(run("layer x: input {data_field: \"samples\"} -> p\n"
                  "layer p: slice {axis: 1, slice_points: [0, 2]} (x) -> a\nlayer a: dummy (p:0)\n",
                  detail::inner_type<data_readers::numpy>(), "samples")) ==
        Codes{"unknown-field-dims"});
  constexpr std::string_view compared =
      "layer t: input {data_field: \"responses\"} -> l\n"
      "layer x: input {data_field: \"samples\"} -> y\n"
      "layer y: fully_connected {num_neurons: 5} (x) -> l\n"
      "layer l: mean_squared_error (t, y) -> d\nlayer d: dummy (l)\n";
  auto const responses = run(compared, detail::inner_type<data_readers::synthetic>(), "responses");
  REQUIRE(codes(responses) == Codes{"field-dims-assumed"});
  CHECK(responses[0].message ==
        "the dims of data field `responses` are not known; [5] are assumed, as `l` takes them");
}

TEST_CASE("an objective adds up entries, a metric has one") {
  auto run = [](std::string_view rest) {
    return codes(complaints(
        infer_shapes,
        "layer x: input {data_field: \"s\"} -> e\nlayer e: evaluation (x)\n" + std::string(rest),
        [](Experiment& e) { give_field(e, "s", {4}); }));
  };
  CHECK(run("term e scale 1\n") == Codes{"entries-added"});
  CHECK(run("") == Codes{"not-a-number"});
}

TEST_CASE("a mini-batch larger than the training data") {
  auto run = [](std::int64_t mini_batch) {
    return codes(complaints(infer_shapes, one_field, [&](Experiment& e) {
      give_field(e, "sample", {1, 16, 16});
      e.readers[0].samples = 100;
      e.mini_batch_size = mini_batch;
    }));
  };
  CHECK(run(100) == Codes{});
  CHECK(run(101) == Codes{"mini-batch-too-large"});
  CHECK(codes(complaints(infer_shapes, one_field, [](Experiment& e) {
          give_field(e, "sample", {1, 16, 16});
          e.readers[0].samples = 100;
          e.mini_batch_size = 101;
          e.caps_mini_batch = true;
          cap_mini_batch(e);
        })) == Codes{"mini-batch-capped"});
}

TEST_CASE("what does not fit comes with the shapes before it, and hides what follows") {
  auto const found = complaints(infer_shapes, one_field, [](Experiment& e) {
    give_field(e, "sample", {1, 15, 15});
  });
  REQUIRE(codes(found) == Codes{"window-too-large"});
  CHECK(found[0].notes ==
        std::vector<std::string>{
            "shapes so far: `x` [1, 15, 15] -> `a` [1, 15, 15] -> `b` [1, 3, 3]"});
}

TEST_CASE("hint layers") {
  constexpr std::string_view text =
      "layer x: input {data_field: \"s\"} -> a\nlayer y: input {data_field: \"t\"} -> d\n"
      "layer a: relu (x) -> e hint y\nlayer d: dummy (y)\nlayer e: dummy (a)\n";
  auto run = [&](Dims dims) {
    return codes(complaints(infer_shapes, text, [&](Experiment& e) {
      give_field(e, "s", {4});
      give_field(e, "t", dims);
    }));
  };
  CHECK(run({4}) == Codes{});
  CHECK(run({5}) == Codes{"hint-clash"});
}

TEST_CASE("weights") {
  auto run = [](std::string_view layers, std::string_view rest) {
    return codes(complaints(resolve_weights, "layer x: input {data_field: \"s\"} -> a dims [4]\n" +
                                                 std::string(layers) + std::string(rest)));
  };
  std::string const two =
      "layer a: fully_connected {num_neurons: 4} (x) -> b dims [4] given w\n"
      "layer b: fully_connected {num_neurons: 3} (a) -> c dims [3] given w\nlayer c: dummy (b)\n";
  std::string const one =
      "layer a: fully_connected {num_neurons: 4} (x) -> b dims [4] given w\nlayer b: dummy (a)\n";
  CHECK(run(two, "weights w: []\n") == Codes{"weights-dims-clash"});
  CHECK(run(one, "weights w: []\nweights v: []\n") == Codes{"unused-weights"});
  CHECK(run("layer a: fully_connected {num_neurons: 4, has_bias: false} (x) -> b dims [4] given w, "
            "v\nlayer b: dummy (a)\n",
            "weights w: []\nweights v: []\n") ==
        Codes{"weights-count", "unused-weights", "unused-weights"});
  CHECK(run("layer a: fully_connected {num_neurons: 4} (x) -> b dims [4] given w\n"
            "layer b: fully_connected {num_neurons: 4} (a) -> c dims [4] given w freeze\n"
            "layer c: dummy (b)\n",
            "weights w: []\n") == Codes{"weights-freeze-clash"});
  CHECK(run("layer a: weights_layer {dims: [4]} -> b dims [4] given w\nlayer b: dummy (a)\n",
            "weights w: [] initializer he_normal_initializer\n") == Codes{"no-fans"});
  CHECK(run(one, "weights w: []\nl2 scale 1 given v\n") == Codes{"unknown-weights"});
  CHECK(run(one, "weights w: [] optimizer no_optimizer\nl2 scale 1 given w\n") ==
        Codes{"untrained-regularization"});
  CHECK(run(one, "weights w: [] optimizer sgd {learn_rate: 1}\nl2 scale 1 given w, w\n") ==
        Codes{"regularized-twice"});
  CHECK(run(one, "weights w: []\nterm b scale 1\n") == Codes{"nothing-to-train"});
  CHECK(run(one, "weights w: [] optimizer sgd {learn_rate: 1}\nterm b scale 1\n") == Codes{});
}

}  // namespace lbann::compiler
