// Whether a run fits into the memory of its ranks, and what would make it fit.
#pragma once

#include <string>
#include <vector>

#include "schemas/reports/run_size.hpp"

namespace lbann {

/// Something that takes memory on a rank, and how much.
struct LargeItem {
  std::string name;
  std::int64_t bytes = 0;
};

/// A change of the command line or of the experiment after which a rank needs less than the limit.
struct FittingEdit {
  std::string words;       ///< as users write it: `--mesh data=1,rows=2,columns=2`
  std::int64_t bytes = 0;  ///< that the rank with the largest parts needs then
};

struct Fit {
  std::int64_t needed = 0;         ///< bytes of the rank with the largest parts
  std::int64_t limit = 0;          ///< bytes that each rank has
  std::vector<LargeItem> items;    ///< the largest of them, the largest first
  std::vector<FittingEdit> edits;  ///< each alone makes it fit; none where it does, or nothing does

  bool fits() const { return needed <= limit; }
};

/// Bytes that the rank with the largest parts needs, from its very program.
Result<std::int64_t> needed_memory(Plan const& plan, RunSize const& size);

/// From the very program of the rank with the largest parts, and of those it would have. Tries
/// other meshes of as many ranks, smaller mini-batches and more ranks.
Result<Fit> fit(Plan const& plan, RunSize const& size, std::int64_t limit);

/// `; it fits with --mesh data=1,rows=2,columns=2 (0.4 GB)`, the edits as the end of a sentence;
/// empty without any.
std::string to_words(std::vector<FittingEdit> const& edits);

}  // namespace lbann
