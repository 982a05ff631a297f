// Weights written after training, or after each validation that is better than all before it.
#include <fmt/format.h>

#include "runtime/callbacks/factories.hpp"
#include "runtime/callbacks/measured_value.hpp"
#include "runtime/callbacks/state_text.hpp"
#include "runtime/checkpoints/weights_folder.hpp"
#include "schemas/plan/location.hpp"

namespace lbann::runtime {

namespace {

class SaveModel final : public Controller {
 public:
  SaveModel(callbacks::save_model fields, CallbackContext const& run, Span span)
      : fields_(std::move(fields)),
        run_(run),
        span_(span),
        best_(fields_.mode == callbacks::BestMode::max) {}

  bool on_every_rank() const override { return run_.executor.program().splits_state; }
  bool keeps_weights() const override {
    return keeps_best() || !fields_.disable_save_after_training;
  }

  /// Checks before training that the weights can be saved later.
  Result<Success> train_begin(Executor& /*executor*/) override {
    if ((!keeps_best() && fields_.disable_save_after_training) || !run_.is_root()) return Success{};
    return with_location(check_weights_folder(folder(), fields_.extension, run_.plan));
  }

  Result<Success> phase_end(PhaseResult const& phase) override {
    if (!keeps_best() || phase.mode != ExecutionMode::validation) return Success{};
    auto const value = measured_value(run_.plan, phase, fields_.best);
    if (!run_.as_root(best_.improves(value))) return Success{};
    return save(fmt::format("best model: {} {:g} after epoch {}, saved in ", fields_.best, value,
                            phase.epoch));
  }

  Result<Success> train_end() override {
    if (!keeps_best())
      return fields_.disable_save_after_training ? Success{} : save("weights saved in ");
    if (!best_.value())
      run_.log.line(
          fmt::format("warning: best model: no validation gave a value of {}, nothing is "
                      "saved in {}",
                      fields_.best, folder().string()));
    return Success{};
  }

  std::string state() const override {
    return best_.value() ? (StateText() << *best_.value()).text() : std::string();
  }
  Result<Success> restore(std::span<std::string const> states) override {
    if (auto const best = StateReader(states.front()).real()) best_.improves(*best);
    return Success{};
  }

 private:
  bool keeps_best() const { return !fields_.best.empty(); }

  /// Saves the weights and logs `line` with the folder.
  Result<Success> save(std::string const& line) const {
    auto saved = with_location(save_weights(folder(), fields_.extension, run_.executor, run_.plan));
    if (saved) run_.log.line(line + folder().string());
    return saved;
  }

  std::filesystem::path folder() const { return run_.model_folder(fields_.dir); }

  Result<Success> with_location(Result<Success> done) const {
    if (done) return done;
    return Problem{located(run_.plan.sources, span_, done.problem().message)};
  }

  callbacks::save_model fields_;
  CallbackContext const& run_;
  Span span_;
  BestValue best_;
};

}  // namespace

std::unique_ptr<Controller> callback_of(callbacks::save_model const& fields,
                                        CallbackContext const& run, Span span) {
  return std::make_unique<SaveModel>(fields, run, span);
}

}  // namespace lbann::runtime
