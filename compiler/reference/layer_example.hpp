// The example of a layer, compiled: which tensors it takes, gives and trains.
#pragma once

#include <string>
#include <vector>

#include "compiler/experiment/declarations.hpp"

namespace lbann::compiler {

/// A row of the table below an example.
struct ExampleTensor {
  std::string kind;  ///< input, output or weights
  std::string name;  ///< of the layer that gives it, or of the weights
  Dims dims;
  std::string initial;  ///< of weights: `constant_initializer, value 0`
};

struct CompiledExample {
  std::vector<ExampleTensor> tensors;
  std::vector<std::string> diagnostics;  ///< of the compiler; none if the example is right
};

/// The list of layers that shows how the layer is used, in YAML; empty for layers that users cannot
/// write. Layers that are one expression have inputs x and y, and 1 or 2 for what must be given.
std::string example_entries(LayerType const& type);

/// The whole experiment around it; with `objective`, the sum of squares of the last layer's outputs
/// is minimised.
std::string example_experiment(LayerType const& type, std::string_view objective_layer = {});

/// Compiles the example as far as shapes and weights are known.
CompiledExample compile_example(LayerType const& type, Declarations const& declarations);

}  // namespace lbann::compiler
