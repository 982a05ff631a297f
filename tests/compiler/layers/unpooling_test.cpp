// Where an unpooling has its images and its window from.
#include <doctest/doctest.h>

#include "compiler/compile.hpp"

using namespace lbann;
using namespace lbann::compiler;

namespace {

/// Layer `u` in the text of the graph, and what is wrong with the experiment.
std::string unpooling_in(std::string const& layers) {
  static Declarations const declarations;
  CompileOptions options;
  options.name = "unpooling.yaml";
  options.dump_after = "graph";
  options.text =
      "trainer: {mini_batch_size: 2, training_algorithm: {sgd: {max_epochs: 1}}}\n"
      "data_reader: [{synthetic: {role: train, num_samples: 4, synth_dimensions: [3, 8, 8]}}]\n"
      "model:\n  layers:\n    - input: {name: x, data_field: samples}\n" +
      layers;
  auto const compiled = compile(options, declarations);
  std::string text;
  for (auto const& diagnostic : compiled.report.diagnostics()) text += diagnostic.message + "\n";
  CHECK(compiled.plan.has_value() == !compiled.report.has_errors());
  auto const begin = compiled.dump.find("layer u: ");
  REQUIRE(begin != std::string::npos);
  return text + compiled.dump.substr(begin, compiled.dump.find('\n', begin) - begin);
}

constexpr char const* pooling =
    "    - pooling: {name: p, pool_dims: 3, pool_strides: 2, pool_pads: 1}\n";

}  // namespace

TEST_CASE("an unpooling with a hint alone has the images and the window of its pooling") {
  CHECK(unpooling_in(std::string(pooling) + "    - unpooling: {name: u, hint_layer: p}\n") ==
        "layer u: unpooling {pool_dims: [3], pool_strides: [2], pool_pads: [1]} (p, x) hint p");
  CHECK(unpooling_in("    - pooling: {name: p, pool_dims: 2}\n"
                     "    - unpooling: {name: u, hint_layer: p}\n") ==
        "layer u: unpooling {pool_dims: [2], pool_strides: [2]} (p, x) hint p");
}

TEST_CASE("an unpooling keeps what it is given beside its hint") {
  CHECK(unpooling_in("    - pooling: {name: p, pool_dims: 2}\n"
                     "    - unpooling: {name: u, hint_layer: p, pool_dims: 3, pool_pads: 1}\n") ==
        "layer u: unpooling {pool_dims: [3], pool_strides: [2], pool_pads: [1]} (p, x) hint p");
  CHECK(unpooling_in(std::string(pooling) +
                     "    - unpooling: {name: u, hint_layer: p, pool_pads: 0, pool_dims: 2}\n") ==
        "layer u: unpooling {pool_dims: [2], pool_strides: [2]} (p, x) hint p");
  CHECK(unpooling_in(std::string(pooling) +
                     "    - relu: {name: other, parents: x}\n"
                     "    - unpooling: {name: u, parents: [p, other], hint_layer: p}\n") ==
        "layer u: unpooling {pool_dims: [3], pool_strides: [2], pool_pads: [1]} (p, other) hint p");
  CHECK(unpooling_in(std::string(pooling) +
                     "    - unpooling: {name: u, hint_layer: p, pool_strides: 3}\n")
            .starts_with("input 0 of `u` needs dims [3, 3, 3], not [3, 4, 4]"));
}

TEST_CASE("an unpooling without a hint has its own window") {
  CHECK(unpooling_in(
            std::string(pooling) +
            "    - unpooling: {name: u, parents: [p, x], pool_dims: 3, pool_strides: 2, pool_pads: "
            "1}\n") ==
        "layer u: unpooling {pool_dims: [3], pool_strides: [2], pool_pads: [1]} (p, x)");
  CHECK(unpooling_in(std::string(pooling) + "    - unpooling: {name: u, parents: [p, x]}\n")
            .starts_with("`u` needs `pool_dims` or `hint_layer`"));
}
