// Weights changed at random.
#include "runtime/callbacks/random_change.hpp"
#include "runtime/callbacks/weights_change.hpp"

namespace lbann::runtime {

namespace {

class PerturbWeights final : public WeightsChange {
 public:
  PerturbWeights(callbacks::perturb_weights const& fields, RunView const& run)
      : fields_(fields),
        view_(view_of(run, fields.output_name)),
        random_(run, fields.name, fields.output_name) {}

  void step_begin(std::int64_t step) override {
    if (step % fields_.batch_interval != 0) return;
    change_entries(view_, [&]<class T>(std::span<T> entries) {
      for (std::size_t i = 0; i < entries.size(); ++i) {
        auto const numbers = random_.at(step, static_cast<std::int64_t>(i));
        if (numbers.uniform >= fields_.perturb_probability) continue;
        auto const value = static_cast<double>(entries[i]) + fields_.scale * numbers.normal;
        entries[i] = static_cast<T>(std::min(std::max(value, fields_.lower), fields_.upper));
      }
    });
  }

 private:
  callbacks::perturb_weights fields_;
  kernels::View view_;
  RandomChange random_;
};

}  // namespace

std::unique_ptr<Observer> observer_of(callbacks::perturb_weights const& fields, RunView const& run,
                                      Span) {
  return std::make_unique<PerturbWeights>(fields, run);
}

}  // namespace lbann::runtime
