// Weights of layers copied to others.
#include <cstring>

#include "runtime/callbacks/weights_change.hpp"

namespace lbann::runtime {

namespace {

class ReplaceWeights final : public WeightsChange {
 public:
  ReplaceWeights(callbacks::replace_weights const& fields, RunView const& run)
      : interval_(fields.batch_interval) {
    auto const views = [&](std::vector<std::string> const& layers) {
      std::vector<kernels::View> found;
      for (auto const& name : layers)
        if (auto const layer = std::ranges::find(run.plan.layers, name, &LayerInfo::name);
            layer != run.plan.layers.end())
          for (auto const& weights : layer->weights) found.push_back(view_of(run, weights));
      return found;
    };
    auto const sources = views(fields.source_layers), targets = views(fields.destination_layers);
    for (std::size_t i = 0; i < std::min(sources.size(), targets.size()); ++i) {
      auto const &from = sources[i], &to = targets[i];
      bool const alike = from.type == to.type && from.elements() == to.elements();
      if (alike && from.data != nullptr && to.data != nullptr && from.data != to.data)
        copies_.push_back(
            {to.data, from.data, static_cast<std::size_t>(from.elements()) * bytes_of(from.type)});
    }
  }

  Result<Success> step_end(StepResult const& step) override {
    if ((step.step + 1) % interval_ != 0) return Success{};
    for (auto const& copy : copies_) std::memcpy(copy.to, copy.from, copy.bytes);
    return Success{};
  }

 private:
  struct Copy {
    void* to;
    void const* from;
    std::size_t bytes;
  };

  std::int64_t interval_;
  std::vector<Copy> copies_;
};

}  // namespace

std::unique_ptr<Observer> observer_of(callbacks::replace_weights const& fields, RunView const& run,
                                      Span) {
  return std::make_unique<ReplaceWeights>(fields, run);
}

}  // namespace lbann::runtime
