// Random walks on a graph.
#pragma once

#include "schemas/data_readers/reader.hpp"

namespace lbann::data_readers {

/// Gives `samples` [num_negative_samples + walk_length], numbers of vertices: random ones that are
/// not on the walk, then the walk. The file holds an edge in each line: two numbers of vertices, 0
/// to 2^24, and its weight if there is one; lines that begin with # or % are left out. A walk is a
/// function of seed, epoch and number. Grover, Leskovec: "node2vec: scalable feature learning for
/// networks", KDD 2016.
struct node2vec : reader {
  static constexpr std::string_view name = "node2vec";
  static constexpr std::string_view summary = "Random walks on a graph.";

  std::string graph_file;
  std::int64_t epoch_size = 0;
  std::int64_t walk_length = 0;
  double return_param = 1;
  double inout_param = 1;
  std::int64_t num_negative_samples = 0;
  bool directed = false;

  static constexpr auto fields() {
    return std::tuple_cat(
        common_fields(),
        std::tuple{
            path(field("graph_file", &node2vec::graph_file, "Text file of edges, plain or gzip.",
                       Presence::required)),
            field("epoch_size", &node2vec::epoch_size, "Walks of an epoch.", Presence::required,
                  "samples", counted_from_one),
            field("walk_length", &node2vec::walk_length, "Vertices of a walk.", counted_from_one,
                  Presence::required),
            field("return_param", &node2vec::return_param,
                  "The larger, the less likely a walk goes back to the vertex before.", above_zero),
            field("inout_param", &node2vec::inout_param,
                  "The larger, the less likely a walk leaves the neighbours of the vertex before.",
                  above_zero),
            field("num_negative_samples", &node2vec::num_negative_samples,
                  "Random vertices before each walk, drawn as often as the 0.75th power of their "
                  "visits.",
                  counted_from_zero),
            field("directed", &node2vec::directed,
                  "Whether an edge leads from its first vertex to the second alone.")});
  }

  std::vector<GivenField> gives() const {
    return {{"samples", {num_negative_samples + walk_length}}};
  }
  std::int64_t samples() const { return epoch_size; }
};

}  // namespace lbann::data_readers
