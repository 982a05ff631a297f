// An experiment as a document again, whatever text it came from.
#pragma once

#include "compiler/experiment/declarations.hpp"
#include "compiler/experiment/experiment.hpp"
#include "compiler/source/document.hpp"

namespace lbann::compiler {

/// How much of an experiment is written out.
enum class Detail : std::uint8_t {
  minimal,  ///< what means something that neither defaults nor the order of layers tell
  full      ///< every field
};

/// The root of a document that means `experiment`: reading it gives the same experiment but for
/// places. Modules, repeats and variables are gone. Nodes have no places.
Node to_node(Experiment const& experiment, Declarations const& declarations, Detail detail);

}  // namespace lbann::compiler
