// The pieces of a reduction compiled for their tensors.
#pragma once

#include <optional>
#include <string>

#include "kernels/folds/reduce_pieces.hpp"
#include "kernels/jit/compiler.hpp"
#include "kernels/jit/map_arguments.hpp"
#include "kernels/map/map_code.hpp"

namespace lbann::kernels::jit {

/// A kernel `reduce` of folds of the pieces, for `code` without an ahead-of-time kernel.
std::string reduce_text(MapCode const& code, ReduceMode mode);

class ReduceFunction {
 public:
  /// Nothing where there is no compiler.
  static std::optional<ReduceFunction> bind(MapCode const& code, ReduceMode mode,
                                            ReduceLayout const& layout, double* partials,
                                            ReduceOutputs const& results);

  /// Launches all pieces.
  void run() const;

 private:
  // As in the text, where what is reduced follows from the arguments; neither the mode nor the
  // numbers of an element change how it lies in memory.
  using Job = FoldJob<ReducePieces<float, MapArguments, ReduceMode::sum, 1>>;

  std::shared_ptr<Function> function_;
  Job job_{};
};

}  // namespace lbann::kernels::jit
