// Weights at the end of epochs, a file for each.
#include <fmt/format.h>

#include "runtime/callbacks/callbacks.hpp"
#include "runtime/callbacks/value_files.hpp"
#include "runtime/loading/location.hpp"

namespace lbann::runtime {

namespace {

class DumpWeights final : public Observer {
 public:
  DumpWeights(callbacks::dump_weights fields, RunView const& run, Span span)
      : fields_(std::move(fields)), run_(run), span_(span) {}

  Result<Success> phase_end(PhaseResult const& phase) override {
    if (phase.mode != ExecutionMode::training || phase.epoch % fields_.epoch_interval != 0)
      return Success{};
    auto folder = run_.model_folder(fields_.directory);
    if (run_.trainers == 1) folder /= "trainer0";
    folder = folder / "model0" / fmt::format("epoch.{}", phase.epoch);
    for (auto const& weights : run_.plan.weights) {
      auto const value = gather(run_, weights.tensor, {});
      auto const matrix = value.dims.size() == 2;
      auto const path = folder / fmt::format("model_weights_{}_{}x{}", weights.name,
                                             matrix ? value.rows() : value.rows() * value.columns(),
                                             matrix ? value.columns() : 1);
      if (auto written = write(value, path.string()); !written)
        return Problem{located(run_.plan.sources, span_, written.problem().message)};
    }
    return Success{};
  }

 private:
  Result<Success> write(GatheredValue const& value, std::string const& path) const {
    if (fields_.format == callbacks::WeightsFormat::text)
      return write_file(path + ".txt", matrix_text(value));
    auto const npy = npy_of(value);
    if (!npy) return npy.problem();
    return write_file(path + ".npy", npy.value());
  }

  callbacks::dump_weights fields_;
  RunView const& run_;
  Span span_;
};

}  // namespace

std::unique_ptr<Observer> observer_of(callbacks::dump_weights const& fields, RunView const& run,
                                      Span span) {
  return std::make_unique<DumpWeights>(fields, run, span);
}

}  // namespace lbann::runtime
