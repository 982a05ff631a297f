// Weights read before training.
#include "runtime/callbacks/factories.hpp"
#include "runtime/checkpoints/export_weights.hpp"
#include "runtime/checkpoints/load_weights.hpp"
#include "schemas/plan/location.hpp"

namespace lbann::runtime {

namespace {

class LoadModel final : public Controller {
 public:
  LoadModel(callbacks::load_model fields, CallbackContext const& run, Span span)
      : fields_(std::move(fields)), run_(run), span_(span) {
    // Before `latest` becomes this run.
    for (auto const& dir : fields_.dirs) paths_.push_back(path_of(dir));
  }

  bool on_every_rank() const override { return true; }

  Result<Success> train_begin(Executor& executor) override {
    auto const loaded = load_weights({paths_, fields_.extension, fields_.partial, fields_.rename},
                                     executor, run_.plan);
    if (!loaded) return Problem{located(run_.plan.sources, span_, loaded.problem().message)};
    for (auto const& path : loaded.value()) run_.log.line(line_of(path));
    return Success{};
  }

 private:
  /// Looked up like data, then where other runs lie; links are followed. With several trainers, in
  /// the folder of the trainer of the same number, if any.
  std::filesystem::path path_of(std::string const& dir) const {
    std::error_code error;
    auto given = find_weights(dir, {run_.data_root, std::filesystem::path(), run_.runs_folder});
    if (run_.trainers > 1)
      for (auto const& own : {given / ("trainer" + std::to_string(run_.trainer)),
                              path_of_trainer(given, run_.trainer, run_.trainers)})
        if (std::filesystem::exists(own, error)) return own;
    return given;
  }

  callbacks::load_model fields_;
  CallbackContext const& run_;
  Span span_;
  std::vector<std::filesystem::path> paths_;
};

}  // namespace

std::unique_ptr<Controller> callback_of(callbacks::load_model const& fields,
                                        CallbackContext const& run, Span span) {
  return std::make_unique<LoadModel>(fields, run, span);
}

}  // namespace lbann::runtime
