// Examples of layers whose weights, or those of layers before them, ranks hold parts of.
#pragma once

#include <string>
#include <vector>

#include "compiler/compile.hpp"

namespace lbann::compiler {

/// Layers with parents of which there is an example.
std::vector<LayerType const*> layers_with_examples(Declarations const& declarations);

/// The experiment of a layer's example in which each input goes through a model-parallel layer
/// first.
std::string split_example(LayerType const& type);
/// The same with all weights sharded.
std::string sharded_example(LayerType const& type);
/// The same in which each rank updates a part of weights that are whole.
std::string updated_example(LayerType const& type);

}  // namespace lbann::compiler
