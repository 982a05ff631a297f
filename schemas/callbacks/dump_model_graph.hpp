// Callback: the model as a graph.
#pragma once

#include <string>
#include <string_view>
#include <tuple>

#include "schemas/vocabulary/field.hpp"

namespace lbann::callbacks {

struct dump_model_graph {
  static constexpr std::string_view name = "dump_model_graph";
  static constexpr std::string_view summary = "Writes the model as a graph for Graphviz.";

  std::string basename = "model.dot";
  bool print_ = false;

  static constexpr auto fields() {
    return std::tuple{written_path(field("basename", &dump_model_graph::basename,
                                         "Name of the file, in the folder of the run.")),
                      field("print", &dump_model_graph::print_, "Print the graph too.")};
  }
};

}  // namespace lbann::callbacks
