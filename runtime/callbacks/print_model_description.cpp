// The model as a list: layers with parents and shapes, then weights.
#include <fmt/format.h>

#include "runtime/callbacks/factories.hpp"
#include "runtime/callbacks/model_description.hpp"

namespace lbann::runtime {

namespace {

std::string join(std::vector<std::string> const& items) {
  return fmt::format("{}", fmt::join(items, ", "));
}

class PrintModelDescription final : public Callback {
 public:
  explicit PrintModelDescription(CallbackContext const& run) : run_(run) {}

  Result<Success> train_begin() override {
    for (auto const& line : describe_model(run_.plan)) run_.log.line(line);
    return Success{};
  }

 private:
  CallbackContext const& run_;
};

}  // namespace

std::vector<std::string> describe_model(Plan const& plan) {
  std::vector<std::string> lines = {"Model " + plan.experiment, "  Layers:"};
  for (auto const& layer : plan.layers) {
    std::vector<std::string> shapes;
    for (auto const& dims : layer.dims) shapes.push_back(fmt::format("{}", fmt::join(dims, " x ")));
    auto line = fmt::format("    {}: {}, output {}", layer.name, layer.type,
                            shapes.empty() ? "none" : join(shapes));
    if (!layer.parents.empty()) line += ", from " + join(layer.parents);
    if (!layer.weights.empty()) line += ", weights " + join(layer.weights);
    if (!layer.inserted_by.empty()) line += ", inserted by " + layer.inserted_by;
    lines.push_back(std::move(line));
  }
  lines.emplace_back("  Weights:");
  std::int64_t total = 0;
  for (auto const& weights : plan.weights) {
    std::int64_t elements = 1;
    for (auto size : weights.dims) elements *= size;
    total += elements;
    lines.push_back(fmt::format("    {}: {}, {}", weights.name, fmt::join(weights.dims, " x "),
                                weights.optimizer.empty() ? "not trained" : weights.optimizer));
  }
  lines.push_back(fmt::format("  {} layers, {} weights with {} parameters", plan.layers.size(),
                              plan.weights.size(), total));
  return lines;
}

std::unique_ptr<Callback> callback_of(callbacks::print_model_description const&,
                                      CallbackContext const& run, Span) {
  return std::make_unique<PrintModelDescription>(run);
}

}  // namespace lbann::runtime
