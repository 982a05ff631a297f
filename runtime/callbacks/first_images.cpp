// The images that callbacks show: of the first samples of a pass.
#include "runtime/callbacks/first_images.hpp"

#include <algorithm>

#include "runtime/callbacks/observed_values.hpp"
#include "runtime/callbacks/state_text.hpp"
#include "runtime/observation/image_sheet.hpp"
#include "schemas/callbacks/execution_modes.hpp"
#include "schemas/vocabulary/image_dims.hpp"

namespace lbann::runtime {

FirstImages::FirstImages(CallbackContext const& run, std::vector<std::string> const& layers,
                         std::vector<std::string> execution_modes, std::int64_t count)
    : run_(run), execution_modes_(std::move(execution_modes)), count_(count) {
  for (std::size_t mode = 0; mode < observations_.size(); ++mode)
    for (auto const* observation :
         observations_of(run.plan, Observable::output, static_cast<ExecutionMode>(mode)))
      if (observation->index == 0 && std::ranges::find(layers, observation->name) != layers.end())
        observations_[mode].push_back(observation);
}

bool FirstImages::reads(Iteration const& iteration) const {
  if (!acts_in(iteration.mode)) return false;
  if (iteration.mode != ExecutionMode::training) return iteration.step == 0;
  return !acts_in(ExecutionMode::validation) && iteration.epoch != shown_epoch_;
}

std::vector<FirstImages::Picture> FirstImages::take(Iteration const& iteration) {
  if (iteration.mode == ExecutionMode::training) shown_epoch_ = iteration.epoch;
  std::vector<Picture> pictures;
  for (auto const* observation : observations_[static_cast<std::size_t>(iteration.mode)]) {
    auto const value = gather(run_, observation->tensor, iteration);
    if (!run_.is_root()) continue;
    std::vector<std::vector<double>> images(
        static_cast<std::size_t>(std::min(value.rows(), count_)));
    auto const columns = value.columns();
    for (std::size_t row = 0; row < images.size(); ++row)
      for (std::int64_t i = 0; i < columns; ++i)
        images[row].push_back(value.at(static_cast<std::int64_t>(row) * columns + i));
    ImageSheet sheet;
    sheet.add(image_dims({value.dims.begin() + 1, value.dims.end()}), images);
    pictures.push_back({observation->name, sheet.pixels()});
  }
  return pictures;
}

std::string FirstImages::state() const {
  StateText text;
  text << shown_epoch_;
  return text.text();
}

void FirstImages::restore(std::span<std::string const> states) {
  shown_epoch_ = StateReader(states.front()).integer().value_or(-1);
}

bool FirstImages::acts_in(ExecutionMode mode) const {
  return callbacks::acts_in(execution_modes_, mode) && run_.sizes.of(mode).samples > 0;
}

}  // namespace lbann::runtime
