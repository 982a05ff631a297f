// Outputs of layers as pictures. Each layer's images are scaled together, to compare them.
#include "schemas/callbacks/save_images.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "runtime/callbacks/factories.hpp"
#include "runtime/callbacks/observed_values.hpp"
#include "runtime/callbacks/state_text.hpp"
#include "runtime/callbacks/value_files.hpp"
#include "runtime/observation/image_sheet.hpp"
#include "schemas/files/file_name.hpp"
#include "schemas/plan/location.hpp"
#include "schemas/vocabulary/image_dims.hpp"

namespace lbann::runtime {

namespace {

class SaveImages final : public Callback {
 public:
  SaveImages(callbacks::save_images fields, CallbackContext const& run, Span span)
      : fields_(std::move(fields)), run_(run), span_(span) {
    for (std::size_t mode = 0; mode < observations_.size(); ++mode)
      for (auto const* observation :
           observations_of(run.plan, Observable::output, static_cast<ExecutionMode>(mode)))
        if (observation->index == 0 &&
            std::ranges::find(fields_.layers, observation->name) != fields_.layers.end())
          observations_[mode].push_back(observation);
  }

  bool on_every_rank() const override { return true; }

  bool reads(Iteration const& iteration) const override {
    if (!acts_in(iteration.mode)) return false;
    if (iteration.mode != ExecutionMode::training) return iteration.step == 0;
    return !acts_in(ExecutionMode::validation) && iteration.epoch != shown_epoch_;
  }

  Result<Success> read(Iteration const& iteration) override {
    if (iteration.mode == ExecutionMode::training) shown_epoch_ = iteration.epoch;
    // LBANN's names; epochs count those that are finished.
    std::filesystem::path const prefix = fields_.image_prefix;
    auto const phase = iteration.mode == ExecutionMode::testing
                           ? std::string("test")
                           : fmt::format("epoch{}", iteration.epoch + 1);
    Result<Success> result = Success{};
    for (auto const* observation : observations_[static_cast<std::size_t>(iteration.mode)]) {
      // Collective: also called after a file could not be written.
      auto const value = gather(run_, observation->tensor, iteration);
      if (!run_.is_root() || !result) continue;
      auto const name = prefix.filename().string() + phase + "-" + file_name(observation->name);
      result = write(value, run_.model_folder(prefix.parent_path()) / name);
    }
    if (!result) return Problem{located(run_.plan.sources, span_, result.problem().message)};
    return result;
  }

  std::string state() const override {
    StateText text;
    text << shown_epoch_;
    return text.text();
  }
  Result<Success> restore(std::span<std::string const> states) override {
    shown_epoch_ = StateReader(states.front()).integer().value_or(-1);
    return Success{};
  }

 private:
  bool acts_in(ExecutionMode mode) const {
    return callbacks::acts_in(fields_.execution_modes, mode) && run_.sizes.of(mode).samples > 0;
  }

  /// `path` is without its ending.
  Result<Success> write(GatheredValue const& value, std::filesystem::path path) const {
    auto const dims = image_dims({value.dims.begin() + 1, value.dims.end()});
    auto const count = std::min(value.rows(), fields_.num_images);
    std::vector<std::vector<double>> images(static_cast<std::size_t>(count));
    for (std::int64_t row = 0; row < count; ++row)
      for (std::int64_t i = 0; i < value.columns(); ++i)
        images[static_cast<std::size_t>(row)].push_back(value.at(row * value.columns() + i));
    ImageSheet sheet;
    sheet.add(dims, images);
    bool const png = fields_.image_format == callbacks::ImageFormat::png;
    path += png ? ".png" : ".jpg";
    auto const bytes = png ? encode_png(sheet.pixels()) : encode_jpeg(sheet.pixels());
    if (!bytes) return Problem{path.string() + ": " + bytes.problem().message};
    auto const* const begin = reinterpret_cast<char const*>(bytes.value().data());
    return write_file(path, {begin, bytes.value().size()});
  }

  callbacks::save_images fields_;
  CallbackContext const& run_;
  Span span_;
  std::array<std::vector<Observation const*>, run_modes> observations_;  ///< by ExecutionMode
  std::int64_t shown_epoch_ = -1;                                        ///< of training
};

}  // namespace

std::unique_ptr<Callback> callback_of(callbacks::save_images const& fields,
                                      CallbackContext const& run, Span span) {
  return std::make_unique<SaveImages>(fields, run, span);
}

}  // namespace lbann::runtime
