// What products with split weights send, beside the least that any distribution of them could.
#pragma once

#include <string>
#include <vector>

#include "schemas/specialization/specialize.hpp"

namespace lbann {

/// A product of a mini-batch and weights [outputs, inputs] that lie over rows and columns.
struct SplitProduct {
  std::string layer;
  std::int64_t inputs = 0, outputs = 0;
  std::int64_t sent = 0;  ///< bytes, forward, by this rank: its factor gathered, its sum scattered
  /// Bytes that a rank sends at least, with no memory to spare: 2 B sqrt(I O / P) - B (I + O) / P
  /// words for B rows on P ranks (Al Daas, Ballard, Grigori, Kumar and Rouse, "Tight
  /// memory-independent parallel matrix multiplication communication lower bounds", 2022). Reached
  /// where inputs / columns = outputs / rows.
  double bound = 0;
};

/// Those of an evaluation, in its order.
std::vector<SplitProduct> report_products(SpecializedProgram const& program);

}  // namespace lbann
