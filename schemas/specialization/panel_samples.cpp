// Parts of the parts of a mini-batch.
#include "schemas/specialization/panel_samples.hpp"

#include <algorithm>

namespace lbann {

std::vector<IndexRange> panel_samples(Panel const& panel, Mesh const& mesh, std::int64_t mini_batch,
                                      std::int64_t rank) {
  std::vector<IndexRange> samples;
  mesh.each_part(mini_batch, panel.split, panel.varying, rank, [&](IndexRange const& part) {
    auto const inner = part_of(part.size, panel.count, panel.index);
    if (inner.size > 0) samples.push_back({part.begin + inner.begin, inner.size});
  });
  return samples;
}

std::vector<IndexRange> held_samples(std::vector<IndexRange> const& samples, IndexRange held) {
  std::vector<IndexRange> rows;
  for (auto const& range : samples) {
    auto const begin = std::max(range.begin, held.begin), end = std::min(range.end(), held.end());
    if (begin < end) rows.push_back({begin - held.begin, end - begin});
  }
  return rows;
}

std::string to_text(Panel const& panel) {
  return "panel " + std::to_string(panel.index + 1) + " of " + std::to_string(panel.count);
}

std::int64_t count(std::vector<IndexRange> const& samples) {
  std::int64_t sum = 0;
  for (auto const& range : samples) sum += range.size;
  return sum;
}

}  // namespace lbann
