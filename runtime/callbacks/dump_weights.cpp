// Weights before training and at the end of epochs, a file for each.
#include <fmt/format.h>

#include <utility>

#include "runtime/callbacks/factories.hpp"
#include "runtime/callbacks/state_text.hpp"
#include "runtime/callbacks/value_files.hpp"
#include "schemas/files/file_name.hpp"
#include "schemas/plan/location.hpp"

namespace lbann::runtime {

namespace {

class DumpWeights final : public Callback {
 public:
  DumpWeights(callbacks::dump_weights fields, CallbackContext const& run, Span span)
      : fields_(std::move(fields)), run_(run), span_(span) {}

  bool on_every_rank() const override { return run_.executor.program().splits_state; }
  bool keeps_weights() const override { return true; }
  bool observes_steps() const override { return true; }

  Result<Success> epoch_begin(std::int64_t epoch) override { return begin(epoch, steps_); }

  Result<Success> step_end(StepResult const& step) override {
    steps_ = step.step + 1;
    return Success{};
  }

  Result<Success> phase_end(PhaseResult const& phase) override {
    auto const epochs = phase.epoch + 1;
    if (phase.mode != ExecutionMode::training || !phase.complete ||
        epochs % fields_.epoch_interval != 0)
      return Success{};
    return dump("epoch_end", epochs, steps_);
  }

  /// Writes the initial values if there was no epoch.
  Result<Success> train_end() override { return begin(0, 0); }

  std::string state() const override {
    return (StateText() << std::int64_t{begun_} << steps_).text();
  }
  Result<Success> restore(std::span<std::string const> states) override {
    StateReader read(states.front());
    begun_ = read.integer().value_or(0) != 0;
    steps_ = read.integer().value_or(steps_);
    return Success{};
  }

 private:
  Result<Success> begin(std::int64_t epoch, std::int64_t step) {
    if (std::exchange(begun_, true)) return Success{};
    return dump("training_begin", epoch, step);
  }

  /// LBANN's names.
  Result<Success> dump(std::string_view when, std::int64_t epoch, std::int64_t step) const {
    auto const folder = run_.trainer_folder(fields_.directory) /
                        file_name(fmt::format("{}.shared.{}.epoch.{}.step.{}",
                                              run_.plan.training.type, when, epoch, step));
    Result<Success> result = Success{};
    for (auto const& weights : run_.plan.weights) {
      // Collective: also called after a file could not be written.
      auto const value = gather(run_, weights.tensor, {});
      if (run_.is_root() && result) result = write(value, folder / "model0", weights.name);
    }
    if (!result) return Problem{located(run_.plan.sources, span_, result.problem().message)};
    return result;
  }

  Result<Success> write(GatheredValue const& value, std::filesystem::path const& folder,
                        std::string const& name) const {
    if (fields_.format == callbacks::WeightsFormat::text)
      return write_file(folder / file_name(name + ".txt"), matrix_text(value));
    auto const npy = npy_of(value);
    if (!npy) return npy.problem();
    return write_file(folder / file_name(name + ".npy"), npy.value());
  }

  callbacks::dump_weights fields_;
  CallbackContext const& run_;
  Span span_;
  bool begun_ = false;      ///< the initial values are written
  std::int64_t steps_ = 0;  ///< of training, so far
};

}  // namespace

std::unique_ptr<Callback> callback_of(callbacks::dump_weights const& fields,
                                      CallbackContext const& run, Span span) {
  return std::make_unique<DumpWeights>(fields, run, span);
}

}  // namespace lbann::runtime
