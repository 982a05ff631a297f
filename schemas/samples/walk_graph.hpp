// A graph and random walks on it.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "schemas/vocabulary/philox.hpp"
#include "schemas/vocabulary/result.hpp"

namespace lbann {

/// Random numbers of one sample, in their order.
class SampleDraws {
 public:
  SampleDraws(PhiloxKey key, std::int64_t sample) : key_(key), sample_(sample) {}

  /// Uniform in [0, 1), a multiple of 2^-53.
  double next() {
    if (used_ == 4) {
      words_ = philox(random_counter(0, sample_, block_++), key_);
      used_ = 0;
    }
    auto const high = words_[used_] >> 5, low = words_[used_ + 1] >> 6;
    used_ += 2;
    return (high * 0x1p26 + low) * 0x1p-53;
  }

 private:
  PhiloxKey key_;
  std::int64_t sample_, block_ = 0;
  PhiloxCounter words_{};
  std::size_t used_ = 4;
};

struct GraphEdge {
  std::int64_t from = 0, to = 0;
  double weight = 1;
};

/// The edge in a line; the problem says what was expected.
Result<GraphEdge> parse_edge(std::string_view line);

/// Vertices are counted from 0 here; `label` is their number in the file.
class WalkGraph {
 public:
  /// Of edges of which there is at least one; an edge that is there twice weighs as both. Each
  /// leads both ways unless `directed`; then a vertex that none leads away from is a problem.
  static Result<WalkGraph> make(std::vector<GraphEdge> edges, bool directed);

  std::int64_t vertices() const { return static_cast<std::int64_t>(labels_.size()); }
  std::int64_t label(std::int64_t vertex) const {
    return labels_[static_cast<std::size_t>(vertex)];
  }
  /// Edges that lead away from a vertex.
  std::int64_t degree(std::int64_t vertex) const;

  /// Writes the vertices of a walk: the first uniformly drawn; of the others each edge to x from v,
  /// where the walk was at t before, counts its weight times 1 / `back` if x is t, times 1 if an
  /// edge leads from x to t, times 1 / `out` otherwise. Allocates nothing.
  void walk(SampleDraws& draws, double back, double out, std::span<std::int64_t> walk) const;

 private:
  struct Edge {
    std::int64_t to;
    double until;  ///< weights of its vertex's edges up to this one
  };
  std::span<Edge const> edges(std::int64_t vertex) const;
  bool leads(std::int64_t from, std::int64_t to) const;
  std::int64_t next(SampleDraws& draws, double back, double out, std::int64_t before,
                    std::int64_t at) const;

  std::vector<std::int64_t> labels_;  ///< ascending
  std::vector<std::size_t> begins_;   ///< per vertex: its first edge, and the end
  std::vector<Edge> edges_;           ///< by vertex, then by `to`
};

/// Vertices drawn with probabilities proportional to the 0.75th power of counts.
class NoiseDistribution {
 public:
  explicit NoiseDistribution(std::span<std::int64_t const> counts);

  /// Writes vertices that differ from each other and are not in `taken`, as long as there are such.
  /// `taken`, which grows, must have room for all. Allocates nothing.
  void draw(SampleDraws& draws, std::vector<std::int64_t>& taken,
            std::span<std::int64_t> vertices) const;

 private:
  std::int64_t draw_one(SampleDraws& draws, std::vector<std::int64_t> const& taken) const;
  double weight(std::size_t vertex) const {
    return until_[vertex] - (vertex > 0 ? until_[vertex - 1] : 0);
  }
  std::vector<double> until_;  ///< weights up to each vertex
};

}  // namespace lbann
