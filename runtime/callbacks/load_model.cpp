// Weights read before training.
#include "runtime/callbacks/factories.hpp"
#include "runtime/checkpoints/weights_folder.hpp"
#include "schemas/plan/location.hpp"

namespace lbann::runtime {

namespace {

class LoadModel final : public Controller {
 public:
  LoadModel(callbacks::load_model fields, CallbackContext const& run, Span span)
      : fields_(std::move(fields)), run_(run), span_(span) {}

  bool on_every_rank() const override { return true; }

  Result<Success> train_begin(Executor& executor) override {
    std::vector<std::filesystem::path> folders;
    for (auto const& dir : fields_.dirs) {
      // Looked up like data, then where another run may have saved it; with several trainers, in
      // the folder of the trainer of the same number, if any.
      std::error_code error;
      auto given = run_.data_root / dir;
      if (!std::filesystem::is_directory(given, error)) given = dir;
      auto const beside = run_.model_folder(dir);
      auto const own = given / ("trainer" + std::to_string(run_.trainer));
      if (run_.trainers > 1 && std::filesystem::is_directory(own, error))
        folders.push_back(own);
      else if (!std::filesystem::is_directory(given, error) &&
               std::filesystem::is_directory(beside, error))
        folders.push_back(beside);
      else
        folders.push_back(given);
    }
    auto loaded = load_weights(folders, fields_.extension, fields_.partial, executor, run_.plan);
    if (!loaded) return Problem{located(run_.plan.sources, span_, loaded.problem().message)};
    return Success{};
  }

 private:
  callbacks::load_model fields_;
  CallbackContext const& run_;
  Span span_;
};

}  // namespace

std::unique_ptr<Controller> callback_of(callbacks::load_model const& fields,
                                        CallbackContext const& run, Span span) {
  return std::make_unique<LoadModel>(fields, run, span);
}

}  // namespace lbann::runtime
