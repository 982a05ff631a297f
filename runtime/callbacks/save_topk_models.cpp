// Ranks the trainers by their tests; the best write their weights.
#include <fmt/format.h>

#include <cmath>
#include <limits>

#include "runtime/callbacks/factories.hpp"
#include "runtime/callbacks/measured_value.hpp"
#include "runtime/checkpoints/weights_folder.hpp"
#include "schemas/plan/location.hpp"

namespace lbann::runtime {

namespace {

constexpr auto no_value = std::numeric_limits<double>::quiet_NaN();

/// Exists on the trainer roots, which compare their values once, at the end of the run: there each
/// takes part, whether its trainer had a test or not, or a failed trainer has ended the job.
class SaveTopKModels final : public Controller {
 public:
  SaveTopKModels(callbacks::save_topk_models fields, CallbackContext const& run, Span span)
      : fields_(std::move(fields)), run_(run), span_(span) {}

  bool on_every_rank() const override { return run_.executor.program().splits_state; }
  bool keeps_weights() const override { return true; }

  /// Checks before training that the weights can be saved after the test.
  Result<Success> train_begin(Executor& /*executor*/) override {
    if (!run_.is_root()) return Success{};
    return with_location(check_weights_folder(folder(), "npy", run_.plan));
  }

  Result<Success> phase_end(PhaseResult const& phase) override {
    if (phase.mode == ExecutionMode::testing)
      value_ = measured_value(run_.plan, phase, fields_.metric);
    return Success{};
  }

  Result<Success> run_end() override {
    auto const values = values_of_trainers();
    if (std::isnan(value_)) {
      run_.log.line("best models: no test gave a value of " + fields_.metric + ", not saved");
      return Success{};
    }
    auto const better = better_trainers(values);
    auto const place = fmt::format("best models: {} {:g} is number {} of {} trainers",
                                   fields_.metric, value_, better + 1, run_.trainers);
    if (!run_.as_root(better < fields_.k)) {
      run_.log.line(place + ", not saved");
      return Success{};
    }
    auto saved = with_location(save_weights(folder(), "npy", run_.executor, run_.plan));
    if (saved) run_.log.line(place + ", saved in " + folder().string());
    return saved;
  }

 private:
  /// Collective over the trainer roots: the value of each trainer, NaN without one.
  std::vector<double> values_of_trainers() const {
    std::vector<double> values(static_cast<std::size_t>(run_.trainers), 0.0);
    values[static_cast<std::size_t>(run_.trainer)] = value_;
    if (run_.between != nullptr)
      run_.between->all_reduce(values.data(), run_.trainers, DataType::f64);
    return values;
  }

  /// How many trainers have a better value than this one, or the same and a lower number.
  std::int64_t better_trainers(std::vector<double> const& values) const {
    std::int64_t better = 0;
    for (std::int64_t i = 0; i < run_.trainers; ++i) {
      auto const value = values[static_cast<std::size_t>(i)];
      bool const ahead = fields_.ascending_ordering ? value < value_ : value > value_;
      if (ahead || (value == value_ && i < run_.trainer)) ++better;
    }
    return better;
  }

  std::filesystem::path folder() const { return run_.trainer_folder(fields_.dir); }

  Result<Success> with_location(Result<Success> done) const {
    if (done) return done;
    return Problem{located(run_.plan.sources, span_, done.problem().message)};
  }

  callbacks::save_topk_models fields_;
  CallbackContext const& run_;
  Span span_;
  double value_ = no_value;  ///< of the test
};

}  // namespace

std::unique_ptr<Controller> callback_of(callbacks::save_topk_models const& fields,
                                        CallbackContext const& run, Span span) {
  return std::make_unique<SaveTopKModels>(fields, run, span);
}

}  // namespace lbann::runtime
