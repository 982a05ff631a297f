// The number of entries of all weights, kept in one of them.
#include "compiler/callbacks/compute_model_size.hpp"

#include "compiler/callbacks/callback.hpp"

namespace lbann::callbacks {

void compute_model_size::lower(compiler::CallbackLowering& lowering) const {
  double size = 0;
  for (auto const& each : lowering.model().weights) {
    double entries = 1;
    for (auto const extent : each.dims) entries *= static_cast<double>(extent);
    size += entries;
  }
  lowering.at({Moment::step_begin, 0, batch_interval});
  ExpressionBuilder build;
  lowering.assign(lowering.weights(lowering.model().find_weights(output_name)),
                  build.finish({build.constant(size)}), {});
}

}  // namespace lbann::callbacks
