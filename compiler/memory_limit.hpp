// What a rank may need: `memory_limit` of the trainer, and the recomputation that keeps within it.
#pragma once

#include <functional>

#include "compiler/compile.hpp"
#include "compiler/experiment/recompute.hpp"

namespace lbann::compiler {

struct MemoryLimit {
  std::int64_t bytes = 0;  ///< of a rank; 0: none
  Span span;
  bool chooses = false;  ///< `recompute: auto`
};

/// Compiles by `compile_with` and reports what needs more than `limit` in a run of `size`. Where
/// the limit chooses, the first of none, selective and full that needs no more, and says which.
Compiled compile_within(MemoryLimit const& limit, RunSize const& size, Compiled without,
                        std::function<Compiled(Recompute)> const& compile_with);

}  // namespace lbann::compiler
