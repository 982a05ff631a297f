// Weights set before a step.
#include "runtime/callbacks/weights_change.hpp"

namespace lbann::runtime {

namespace {

class SetWeightsValue final : public WeightsChange {
 public:
  SetWeightsValue(callbacks::set_weights_value const& fields, RunView const& run)
      : fields_(fields) {
    for (auto const& name : fields.weights) views_.push_back(view_of(run, name));
  }

  void step_begin(std::int64_t step) override {
    if (step != fields_.step) return;
    for (auto const& view : views_)
      change_entries(view, [&]<class T>(std::span<T> entries) {
        std::ranges::fill(entries, static_cast<T>(fields_.value));
      });
  }

 private:
  callbacks::set_weights_value fields_;
  std::vector<kernels::View> views_;
};

}  // namespace

std::unique_ptr<Observer> observer_of(callbacks::set_weights_value const& fields,
                                      RunView const& run, Span) {
  return std::make_unique<SetWeightsValue>(fields, run);
}

}  // namespace lbann::runtime
