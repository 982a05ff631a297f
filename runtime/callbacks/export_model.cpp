// Weights written to one file after training.
#include "runtime/callbacks/export_model.hpp"

#include "runtime/checkpoints/export_weights.hpp"

namespace lbann::runtime {

namespace {

class ExportModel final : public Controller {
 public:
  ExportModel(std::filesystem::path path, CallbackContext const& run)
      : path_(std::move(path)), run_(run) {}

  bool on_every_rank() const override { return run_.executor.program().splits_state; }
  bool keeps_weights() const override { return true; }

  Result<Success> train_begin(Executor& executor) override {
    if (!run_.is_root()) return Success{};
    return check_export(path_, run_.trainer, run_.trainers, executor, run_.plan);
  }

  Result<Success> train_end() override {
    auto const own = path_of_trainer(path_, run_.trainer, run_.trainers);
    auto written = export_weights(own, run_.executor, run_.plan);
    if (written) run_.log.line("weights exported to " + own.string());
    return written;
  }

 private:
  std::filesystem::path path_;
  CallbackContext const& run_;
};

}  // namespace

std::unique_ptr<Controller> export_model(std::filesystem::path path, CallbackContext const& run) {
  return std::make_unique<ExportModel>(std::move(path), run);
}

}  // namespace lbann::runtime
