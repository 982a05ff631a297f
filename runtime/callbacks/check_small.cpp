// Finds outputs and gradients that are not zero but whose squares are.
#include <fmt/format.h>

#include <cmath>
#include <limits>

#include "runtime/callbacks/factories.hpp"
#include "runtime/callbacks/observed_values.hpp"
#include "schemas/plan/location.hpp"

namespace lbann::runtime {

namespace {

class CheckSmall final : public Callback {
 public:
  CheckSmall(CallbackContext const& run, Span span) : run_(run), span_(span) {
    for (auto const observable : {Observable::output, Observable::gradient})
      for (auto const* observation : observations_of(run.plan, observable, ExecutionMode::training))
        observations_.push_back(observation);
  }

  // Every rank checks its own samples.
  bool on_every_rank() const override { return true; }
  bool failed_check() const override { return failed_; }
  bool reads(Iteration const& iteration) const override {
    return iteration.mode == ExecutionMode::training;
  }

  Result<Success> read(Iteration const& iteration) override {
    for (auto const* observation : observations_) {
      auto const view = run_.executor.read(observation->tensor, iteration.local);
      auto const found = view.type == DataType::f64
                             ? first_small(view.as<double>(), view.elements())
                             : first_small(view.as<float>(), view.elements());
      if (found < 0) continue;
      failed_ = true;
      auto const value =
          view.type == DataType::f64 ? view.as<double>()[found] : double{view.as<float>()[found]};
      return Problem{
          located(run_.plan.sources, span_,
                  fmt::format("{} of `{}` is {:g} at entry {} in step {}: its square vanishes",
                              observable_names[static_cast<std::size_t>(observation->observable)],
                              observation->name, value, found, iteration.step))};
    }
    return Success{};
  }

 private:
  /// The first entry that is not zero but smaller than the square root of the least normal number,
  /// or -1.
  template <class T>
  static std::int64_t first_small(T const* values, std::int64_t count) {
    auto const least = std::sqrt(std::numeric_limits<T>::min());
    for (std::int64_t i = 0; i < count; ++i)
      if (values[i] != 0 && std::abs(values[i]) < least) return i;
    return -1;
  }

  CallbackContext const& run_;
  Span span_;
  std::vector<Observation const*> observations_;
  bool failed_ = false;
};

}  // namespace

std::unique_ptr<Callback> callback_of(callbacks::check_small const&, CallbackContext const& run,
                                      Span span) {
  return std::make_unique<CheckSmall>(run, span);
}

}  // namespace lbann::runtime
