// What one rank computes, layer by layer, from its specialised program.
#pragma once

#include "schemas/specialization/specialize.hpp"

namespace lbann {

/// Floating-point operations of what one layer (or weights object, or metric) caused; the
/// convention stands in schemas/operators/rules.hpp. A fused instruction is told
/// under the layer it began with.
struct LayerFlops {
  std::string layer;
  std::int64_t flops = 0;
};

/// One execution of an entry point on a full mini-batch.
struct EntryFlops {
  std::string entry;
  std::vector<LayerFlops> layers;  ///< in order of first appearance, those without operations too
  std::int64_t total = 0;
};

/// Those of one execution of an instruction of an entry point on a full mini-batch.
std::int64_t flops_of(SpecializedProgram const& program, SpecializedEntry const& entry,
                      std::size_t index);

/// One per entry point. Sums that do not fit stay at the largest number.
std::vector<EntryFlops> report_flops(SpecializedProgram const& program);

}  // namespace lbann
