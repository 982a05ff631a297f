// What two experiments do not share, by what they mean.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "compiler/experiment/declarations.hpp"
#include "compiler/source/document.hpp"

namespace lbann::compiler {

/// A value at a path as `--set` takes it, e.g. `model.layers.conv1.out_channels`; an entry of a
/// list that only one of them has is told whole, without its defaults.
struct Difference {
  std::string path;
  std::optional<std::string> before, after;  ///< in YAML; nothing where one has no such thing
};

/// Of two experiments in full, as `to_node` writes them. Entries of lists belong together by type
/// and name, layers without a name of their own by their order; where entries stand is no
/// difference.
std::vector<Difference> differences(Node before, Node after, Declarations const& declarations);

}  // namespace lbann::compiler
