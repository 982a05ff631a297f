// Gradients and error signals of training steps as text, a file for each.
#include "runtime/callbacks/dump_values.hpp"

#include <fmt/format.h>
#include "runtime/callbacks/value_files.hpp"
#include "schemas/files/file_name.hpp"
#include "schemas/plan/location.hpp"

namespace lbann::runtime {

namespace {

/// Writes all observations of a kind every `interval` steps.
class DumpValues final : public Callback {
 public:
  DumpValues(std::string const& basename, std::int64_t interval, Observable observable,
             CallbackContext const& run, Span span)
      : basename_(basename),
        interval_(interval),
        observable_(observable),
        run_(run),
        span_(span),
        observations_(observations_of(run.plan, observable, ExecutionMode::training)) {}

  bool on_every_rank() const override { return true; }
  bool reads(Iteration const& iteration) const override {
    return iteration.mode == ExecutionMode::training && iteration.step % interval_ == 0;
  }

  Result<Success> read(Iteration const& iteration) override {
    auto const folder = run_.model_folder(basename_.parent_path());
    auto const start = basename_.filename().string();
    Result<Success> result = Success{};
    for (auto const* observation : observations_) {
      // Collective: also called after a file could not be written.
      auto const value = gather(run_, observation->tensor, iteration);
      if (!run_.is_root() || !result) continue;
      auto const name =
          file_name(fmt::format("model{}-epoch{}-step{}-{}-{}.txt", run_.trainer, iteration.epoch,
                                iteration.step, observation->name, file_suffix(*observation)));
      result = write_file(folder / (start + name), observable_ == Observable::gradient
                                                       ? matrix_text(value)
                                                       : text_of(value, ' '));
    }
    if (!result) return Problem{located(run_.plan.sources, span_, result.problem().message)};
    return result;
  }

 private:
  std::string file_suffix(Observation const& observation) const {
    return observable_ == Observable::gradient ? "Gradient"
                                               : "ErrorSignal" + std::to_string(observation.index);
  }

  std::filesystem::path basename_;
  std::int64_t interval_;
  Observable observable_;
  CallbackContext const& run_;
  Span span_;
  std::vector<Observation const*> observations_;
};

}  // namespace

std::unique_ptr<Callback> dump_values(std::string const& basename, std::int64_t interval,
                                      Observable observable, CallbackContext const& run,
                                      Span span) {
  return std::make_unique<DumpValues>(basename, interval, observable, run, span);
}

}  // namespace lbann::runtime
