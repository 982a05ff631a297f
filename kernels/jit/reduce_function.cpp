// Writes, compiles and launches the text of a reduction.
#include "kernels/jit/reduce_function.hpp"

#include <string>

#include "kernels/jit/map_text.hpp"

namespace lbann::kernels::jit {

std::string reduce_text(MapCode const& code, ReduceMode mode) {
  return values_text(code) +
         "#include \"kernels/folds/reduce_pieces.hpp\"\n"
         "extern \"C\" __global__ void __launch_bounds__(most_lanes) reduce(\n"
         "    const __grid_constant__ FoldJob<ReducePieces<T, Values, ReduceMode(" +
         std::to_string(static_cast<int>(mode)) + "), " + std::to_string(code.output_count) +
         ">> job) {\n  fold_in_blocks(job.count, job.lanes, job.folds);\n}\n";
}

std::optional<ReduceFunction> ReduceFunction::bind(MapCode const& code, ReduceMode mode,
                                                   ReduceLayout const& layout, double* partials,
                                                   ReduceOutputs const& results) {
  if (!is_available()) return {};
  ReduceFunction reduce;
  reduce.function_ = compile(reduce_text(code, mode), "reduce");
  reduce.job_ = {pieces_of(layout),
                 lanes_for(most_elements_of_piece(layout)),
                 {map_arguments(code), layout, partials, results}};
  return reduce;
}

void ReduceFunction::run() const {
  if (job_.count > 0) function_->launch(fold_blocks(job_.count, job_.lanes), most_lanes, &job_);
}

}  // namespace lbann::kernels::jit
