// A model layer by layer, as one looks at it before it is trained.
#pragma once

#include "schemas/plan/plan.hpp"
#include "schemas/reports/flops.hpp"

namespace lbann {

/// A layer that the user wrote.
struct SummarizedLayer {
  std::string name, type;
  std::vector<std::string> parents;
  std::vector<std::vector<std::int64_t>> outputs;  ///< dims of one sample
  std::int64_t trained = 0, frozen = 0;            ///< entries of weights that no layer before has
  bool shares = false;                             ///< weights with a layer before
  std::int64_t flops = 0;                          ///< of its rank, forward, of a micro-batch
};

struct ModelSummary {
  std::vector<SummarizedLayer> layers;
  std::int64_t trained = 0, frozen = 0;  ///< of all weights
};

/// `flops`: of the entry points of the rank whose operations are told.
ModelSummary summarize(Plan const& plan, std::vector<EntryFlops> const& flops);

}  // namespace lbann
