// One layer on inputs of given dims: its output dims, weights, instructions and complaints.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "compiler/layers/layer.hpp"

namespace lbann::compiler {

struct LayerCase {
  std::vector<Dims> outputs;
  std::string weights;                ///< one line each: name, dims, initializer, fans
  std::string train;                  ///< instructions of layer `l`, whose inputs are x0, x1, ...
  std::string evaluate;               ///< the same without training
  Program program;                    ///< in which the instructions of `l` come first
  std::vector<std::string> codes;     ///< of diagnostics
  std::vector<std::string> messages;  ///< of diagnostics
};

/// Runs `declaration`, e.g. `relu`, `scale {constant: 2}` or `relu freeze`, with `children`
/// children.
LayerCase run_layer(std::string_view declaration, std::vector<Dims> const& inputs,
                    std::size_t children = 1, DataType type = DataType::f32);

}  // namespace lbann::compiler
