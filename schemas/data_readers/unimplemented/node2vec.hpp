// Data reader `node2vec`, declared but not built.
#pragma once

#include "schemas/data_readers/reader.hpp"

namespace lbann::data_readers {

struct node2vec : reader {
  static constexpr std::string_view name = "node2vec";
  static constexpr std::string_view summary = "Random walks on a graph.";
  static constexpr Support support = Support::unimplemented;

  std::string graph_file;
  std::int64_t epoch_size = 0;
  std::int64_t walk_length = 0;
  double return_param = 1;
  double inout_param = 1;
  std::int64_t num_negative_samples = 0;

  static constexpr auto fields() {
    return std::tuple_cat(
        common_fields(),
        std::tuple{path(field("graph_file", &node2vec::graph_file,
                              "The graph, in the form of HavoqGT.", Presence::required)),
                   field("epoch_size", &node2vec::epoch_size, "Samples of an epoch.",
                         Presence::required, "samples", counted_from_one),
                   field("walk_length", &node2vec::walk_length, "Vertices of a walk.",
                         counted_from_one, Presence::required),
                   field("return_param", &node2vec::return_param,
                         "The larger, the less likely a walk goes back.", above_zero),
                   field("inout_param", &node2vec::inout_param,
                         "The larger, the closer to its start a walk stays.", above_zero),
                   field("num_negative_samples", &node2vec::num_negative_samples,
                         "Random vertices for each walk.", counted_from_zero)});
  }

  /// What a walk becomes as a sample is not decided before the reader is built.
  std::vector<GivenField> gives() const { return {{"samples", {}}}; }
  std::int64_t samples() const { return epoch_size; }
};

}  // namespace lbann::data_readers
