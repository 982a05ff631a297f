// Weights written after training.
#include "runtime/callbacks/factories.hpp"
#include "runtime/checkpoints/weights_folder.hpp"
#include "schemas/plan/location.hpp"

namespace lbann::runtime {

namespace {

class SaveModel final : public Controller {
 public:
  SaveModel(callbacks::save_model fields, CallbackContext const& run, Span span)
      : fields_(std::move(fields)), run_(run), span_(span) {}

  /// Checks before training that the weights can be saved after it.
  Result<Success> train_begin(Executor& /*executor*/) override {
    if (fields_.disable_save_after_training) return Success{};
    return with_location(check_weights_folder(folder(), fields_.extension, run_.plan));
  }

  Result<Success> train_end() override {
    if (fields_.disable_save_after_training) return Success{};
    auto saved = with_location(save_weights(folder(), fields_.extension, run_.executor, run_.plan));
    if (saved) run_.log.line("weights saved in " + folder().string());
    return saved;
  }

 private:
  std::filesystem::path folder() const { return run_.model_folder(fields_.dir); }

  Result<Success> with_location(Result<Success> done) const {
    if (done) return done;
    return Problem{located(run_.plan.sources, span_, done.problem().message)};
  }

  callbacks::save_model fields_;
  CallbackContext const& run_;
  Span span_;
};

}  // namespace

std::unique_ptr<Controller> callback_of(callbacks::save_model const& fields,
                                        CallbackContext const& run, Span span) {
  return std::make_unique<SaveModel>(fields, run, span);
}

}  // namespace lbann::runtime
