// Outputs of layers, a file for each, one row per sample.
#include <fmt/format.h>

#include <algorithm>

#include "runtime/callbacks/factories.hpp"
#include "runtime/callbacks/value_files.hpp"
#include "schemas/files/file_name.hpp"
#include "schemas/plan/location.hpp"

namespace lbann::runtime {

namespace {

using callbacks::OutputsFormat;

class DumpOutputs final : public Callback {
 public:
  DumpOutputs(callbacks::dump_outputs fields, CallbackContext const& run, Span span)
      : fields_(std::move(fields)), run_(run), span_(span) {
    for (std::size_t mode = 0; mode < observations_.size(); ++mode) {
      observations_[mode] =
          observations_of(run.plan, Observable::output, static_cast<ExecutionMode>(mode));
      std::erase_if(observations_[mode], [&](Observation const* observation) {
        auto const& names = fields_.layers;
        return !names.empty() && std::ranges::find(names, observation->name) == names.end();
      });
    }
  }

  bool on_every_rank() const override { return true; }

  bool reads(Iteration const& iteration) const override {
    return callbacks::acts_in(fields_.execution_modes, iteration.mode) &&
           iteration.step % fields_.batch_interval == 0;
  }

  Result<Success> read(Iteration const& iteration) override {
    // LBANN's names.
    auto const folder = run_.trainer_folder(fields_.directory) / "model0";
    auto const start = fmt::format("{}.{}.epoch.{}.step.{}", run_.plan.training.type,
                                   name_of(iteration.mode), iteration.epoch, iteration.step);
    Result<Success> result = Success{};
    for (auto const* observation : observations_[static_cast<std::size_t>(iteration.mode)]) {
      // Collective: also called after a file could not be written.
      auto const value = gather(run_, observation->tensor, iteration);
      if (!run_.is_root() || !result) continue;
      auto const name = fmt::format("{}_output{}", observation->name, observation->index);
      result = write(value, folder, start + "_" + name, name);
    }
    if (!result) return Problem{located(run_.plan.sources, span_, result.problem().message)};
    return result;
  }

 private:
  /// `array`: the name of the values in an archive.
  Result<Success> write(GatheredValue const& value, std::filesystem::path const& folder,
                        std::string const& name, std::string const& array) const {
    switch (fields_.format) {
      case OutputsFormat::csv:
        return write_file(folder / file_name(name + ".csv"), text_of(value, ','));
      case OutputsFormat::tsv:
        return write_file(folder / file_name(name + ".tsv"), text_of(value, '\t'));
      case OutputsFormat::npy:
      case OutputsFormat::npz:
        break;
    }
    auto const npy = npy_of(value);
    if (!npy) return npy.problem();
    if (fields_.format == OutputsFormat::npy)
      return write_file(folder / file_name(name + ".npy"), npy.value());
    Npz archive;
    archive.add(file_name(array), npy.value());
    return write_file(folder / file_name(name + ".npz"), archive.finish());
  }

  callbacks::dump_outputs fields_;
  CallbackContext const& run_;
  Span span_;
  std::array<std::vector<Observation const*>, 3> observations_;  ///< by ExecutionMode
};

}  // namespace

std::unique_ptr<Callback> callback_of(callbacks::dump_outputs const& fields,
                                      CallbackContext const& run, Span span) {
  return std::make_unique<DumpOutputs>(fields, run, span);
}

}  // namespace lbann::runtime
