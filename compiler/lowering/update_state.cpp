// Pass: what layers do with weights that are not trained.
#include "compiler/lowering/emitter.hpp"
#include "compiler/lowering/lowering_passes.hpp"

namespace lbann::compiler {

void update_state(Compilation& compilation) {
  TensorNames names(compilation.program);
  Emitter emitter(compilation.program, names, "train", "update_state");
  for (auto& update : compilation.state.updates) {
    auto const& type = compilation.program[update.weights].type;
    operators::map map;
    map.expression = std::move(update.expression);
    map.shape = type.shape;
    map.compute = DataType::f64;
    map.types = {type.type};
    emitter.emit_to({update.weights}, std::move(map), std::move(update.inputs), update.origin);
  }
  compilation.state.updates.clear();
}

}  // namespace lbann::compiler
