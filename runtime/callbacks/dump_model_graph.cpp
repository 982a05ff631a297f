// The model as a graph, for Graphviz.
#include <fmt/format.h>

#include "runtime/callbacks/factories.hpp"
#include "runtime/callbacks/value_files.hpp"
#include "schemas/plan/location.hpp"

namespace lbann::runtime {

namespace {

std::string quoted(std::string const& text) {
  std::string result = "\"";
  for (auto const c : text) {
    if (c == '"' || c == '\\') result += '\\';
    result += c;
  }
  return result + '"';
}

std::string graph_of(Plan const& plan) {
  std::string text = "digraph " + quoted(plan.experiment) + " {\n";
  for (auto const& layer : plan.layers)
    text += fmt::format("  {} [label={}]\n", quoted(layer.name),
                        quoted(layer.name + " (" + layer.type + ")"));
  for (auto const& layer : plan.layers)
    for (auto const& parent : layer.parents)
      text += fmt::format("  {} -> {}\n", quoted(parent), quoted(layer.name));
  return text + "}\n";
}

class DumpModelGraph final : public Callback {
 public:
  DumpModelGraph(callbacks::dump_model_graph fields, CallbackContext const& run, Span span)
      : fields_(std::move(fields)), run_(run), span_(span) {}

  Result<Success> train_begin() override {
    auto const graph = graph_of(run_.plan);
    if (fields_.print_) run_.log.line(graph);
    auto written = write_file(run_.work_directory / fields_.basename, graph);
    if (written) return written;
    return Problem{located(run_.plan.sources, span_, written.problem().message)};
  }

 private:
  callbacks::dump_model_graph fields_;
  CallbackContext const& run_;
  Span span_;
};

}  // namespace

std::unique_ptr<Callback> callback_of(callbacks::dump_model_graph const& fields,
                                      CallbackContext const& run, Span span) {
  return std::make_unique<DumpModelGraph>(fields, run, span);
}

}  // namespace lbann::runtime
