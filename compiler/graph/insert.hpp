// Adding layers the user did not write.
#pragma once

#include <unordered_set>

#include "compiler/graph/graph.hpp"

namespace lbann::compiler {

/// Adds an implicit layer of `type` (all fields default) that computes in the cause's type, named
/// `<cause><suffix>`, or with the smallest number from 2 on that makes the name new.
class LayerInserter {
 public:
  LayerInserter(Graph& graph, LayerType const& type, std::string suffix, std::string pass);
  LayerId insert(LayerId cause);

 private:
  Graph& graph_;
  LayerType const& type_;
  std::string suffix_, pass_;
  std::unordered_set<std::string> names_;
};

}  // namespace lbann::compiler
