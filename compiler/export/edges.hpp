// Which edges between layers are written, and where.
#pragma once

#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "compiler/experiment/declarations.hpp"
#include "compiler/experiment/experiment.hpp"

namespace lbann::compiler {

/// Decides which edges need not be written: children that the parents of others tell, and a single
/// parent that is the layer before.
class Edges {
 public:
  /// `full`: only what nothing tells is left out.
  Edges(Experiment const& experiment, Declarations const& declarations, bool full);

  /// The parents of a layer, as they are written.
  std::vector<Name> const& parents(std::size_t layer) const { return parents_[layer]; }
  bool writes_parents(std::size_t layer) const { return !without_parents_[layer]; }
  bool writes_children(std::size_t layer) const { return !without_children_[layer]; }

 private:
  LayerType const* type(std::size_t layer) const;
  bool takes_parents(std::size_t layer) const;
  std::vector<Name> given_parents(std::size_t layer) const;
  bool number_outputs(std::size_t layer);
  bool tells_children(std::size_t layer, std::vector<std::string_view> told) const;
  bool implied_parents(std::size_t layer, bool named_by_parent) const;
  std::string_view layer_of(std::string_view name) const;

  Experiment const& experiment_;
  Declarations const& vocabulary_;
  bool full_;
  std::vector<bool> without_parents_, without_children_;
  std::vector<std::vector<Name>> parents_;
  std::unordered_map<std::string_view, std::size_t> layers_;  ///< by name
  std::unordered_set<std::string_view> named_;                ///< children of layers
};

}  // namespace lbann::compiler
