// Weights of layers copied to others.
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
      bool const alike = from.elements() == to.elements();
      if (alike && from.data != nullptr && to.data != nullptr && from.data != to.data)
        copies_.push_back({from, to});
    }
  }

  Result<Success> step_end(StepResult const& step) override {
    if ((step.step + 1) % interval_ != 0) return Success{};
    for (auto const& [from, to] : copies_) copy(from, to);
    return Success{};
  }

 private:
  /// Two of as many entries.
  struct Copy {
    kernels::View from, to;
  };

  /// Entries of one type become those of the other.
  static void copy(kernels::View const& from, kernels::View const& to) {
    change_entries(to, [&](auto entries) {
      using Entry = typename decltype(entries)::value_type;
      change_entries(from, [&](auto values) {
        std::ranges::transform(values, entries.begin(),
                               [](auto value) { return static_cast<Entry>(value); });
      });
    });
  }

  std::int64_t interval_;
  std::vector<Copy> copies_;
};

}  // namespace

std::unique_ptr<Observer> observer_of(callbacks::replace_weights const& fields, RunView const& run,
                                      Span) {
  return std::make_unique<ReplaceWeights>(fields, run);
}

}  // namespace lbann::runtime
