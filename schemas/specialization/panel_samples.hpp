// The samples of a panel, and which of them a rank holds.
#pragma once

#include <string>
#include <vector>

#include "schemas/program/program.hpp"
#include "schemas/specialization/mesh.hpp"

namespace lbann {

/// The samples of `panel` of a mini-batch of `mini_batch` samples on all ranks, ascending, for the
/// group of ranks that `rank` is in.
std::vector<IndexRange> panel_samples(Panel const& panel, Mesh const& mesh, std::int64_t mini_batch,
                                      std::int64_t rank);

/// Those of `samples` that lie in `held`, counted from the first of `held`; no empty ones.
std::vector<IndexRange> held_samples(std::vector<IndexRange> const& samples, IndexRange held);

/// `panel 2 of 4`
std::string to_text(Panel const& panel);

/// All samples in these ranges.
std::int64_t count(std::vector<IndexRange> const& samples);

/// Whether two instructions work on different panels, which have no sample in common.
inline bool apart(Instruction const& a, Instruction const& b) {
  return a.panel && b.panel && a.panel->index != b.panel->index &&
         a.panel->count == b.panel->count && a.panel->split == b.panel->split &&
         a.panel->varying == b.panel->varying;
}

}  // namespace lbann
