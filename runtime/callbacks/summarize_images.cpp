// Single images of the validation in event files for TensorBoard.
#include "schemas/callbacks/summarize_images.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <optional>

#include "runtime/callbacks/factories.hpp"
#include "runtime/callbacks/observed_values.hpp"
#include "runtime/callbacks/state_text.hpp"
#include "runtime/observation/event_file.hpp"
#include "runtime/observation/image_sheet.hpp"
#include "schemas/plan/location.hpp"
#include "schemas/vocabulary/image_dims.hpp"

namespace lbann::runtime {

namespace {

class SummarizeImages final : public Callback {
 public:
  SummarizeImages(callbacks::summarize_images fields, CallbackContext const& run, Span span)
      : fields_(std::move(fields)), run_(run), span_(span) {
    for (auto const* observation :
         observations_of(run.plan, Observable::output, ExecutionMode::validation)) {
      if (observation->index != 0) continue;
      if (observation->name == fields_.image_source_layer_name) images_ = observation->tensor;
      if (observation->name == fields_.accuracy_layer_name) accuracies_ = observation->tensor;
    }
  }

  // Values are gathered.
  bool on_every_rank() const override { return true; }

  bool reads(Iteration const& iteration) const override {
    return iteration.mode == ExecutionMode::validation &&
           (iteration.epoch + 1) % fields_.epoch_interval == 0 &&
           (iteration.step == 0 || left_ > 0);
  }

  Result<Success> read(Iteration const& iteration) override {
    if (iteration.step == 0) left_ = fields_.num_images;
    auto const indices = gather_indices(iteration.indices);
    auto const accuracies =
        accuracies_.valid() ? gather(run_, accuracies_, iteration) : GatheredValue();
    auto const rows = agreed(chosen(indices, accuracies));
    left_ -= static_cast<std::int64_t>(rows.size());
    if (rows.empty()) return Success{};
    auto const images = gather(run_, images_, iteration);
    if (!run_.is_root()) return Success{};
    for (auto const row : rows)
      if (auto written =
              write(images, row, indices[static_cast<std::size_t>(row)], iteration.epoch + 1);
          !written)
        return Problem{located(run_.plan.sources, span_, written.problem().message)};
    return Success{};
  }

  Result<Success> phase_end(PhaseResult const& phase) override {
    if (phase.mode != ExecutionMode::validation || !file_) return Success{};
    auto written = file_->flush();
    if (written) return written;
    return Problem{located(run_.plan.sources, span_, written.problem().message)};
  }

  std::string state() const override {
    StateText text;
    for (auto const index : followed_) text << index;
    return text.text();
  }
  Result<Success> restore(std::span<std::string const> states) override {
    if (states.empty() || !run_.is_root()) return Success{};
    StateReader read(states.front());
    followed_.clear();
    while (auto const index = read.integer()) followed_.push_back(*index);
    return Success{};
  }

 private:
  /// Indices in the data of the mini-batch's samples, on the trainer root.
  std::vector<std::int64_t> gather_indices(std::span<std::int64_t const> own) const {
    if (run_.ranks == nullptr) return {own.begin(), own.end()};
    std::vector<std::int64_t> indices;
    for (auto const& part : run_.ranks->gather(std::as_bytes(own))) {
      auto const before = indices.size();
      indices.resize(before + part.size() / sizeof(std::int64_t));
      if (!part.empty()) std::memcpy(indices.data() + before, part.data(), part.size());
    }
    return indices;
  }

  /// The samples of the mini-batch that are shown, on the trainer root. Without accuracies those of
  /// the first validation are followed, in whatever order they come later.
  std::vector<std::int64_t> chosen(std::vector<std::int64_t> const& indices,
                                   GatheredValue const& accuracies) {
    std::vector<std::int64_t> rows;
    if (!run_.is_root()) return rows;
    if (left_ == fields_.num_images && !accuracies_.valid()) follows_ = followed_.empty();
    for (std::size_t row = 0; row < indices.size() && std::ssize(rows) < left_; ++row) {
      auto const at = static_cast<std::int64_t>(row);
      bool wanted = true;
      if (accuracies_.valid()) {
        wanted = fields_.match_type == callbacks::MatchType::all ||
                 (accuracies.at(at) > 0) == (fields_.match_type == callbacks::MatchType::match);
      } else if (follows_) {
        followed_.push_back(indices[row]);
      } else {
        wanted = std::ranges::find(followed_, indices[row]) != followed_.end();
      }
      if (wanted) rows.push_back(at);
    }
    return rows;
  }

  /// The root's rows, on all ranks. Collective.
  std::vector<std::int64_t> agreed(std::vector<std::int64_t> rows) const {
    if (run_.ranks == nullptr) return rows;
    auto count = static_cast<std::int64_t>(rows.size());
    run_.ranks->broadcast(std::as_writable_bytes(std::span(&count, 1)), 0);
    rows.resize(static_cast<std::size_t>(count));
    run_.ranks->broadcast(std::as_writable_bytes(std::span(rows)), 0);
    return rows;
  }

  Result<Success> write(GatheredValue const& images, std::int64_t row, std::int64_t index,
                        std::int64_t epochs) {
    if (!file_) {
      auto made =
          EventFile::create(run_.model_folder(fields_.dir) / "images", run_.resumed ? epochs : -1);
      if (!made) return made.problem();
      file_.emplace(std::move(made).value());
    }
    auto const columns = images.columns();
    std::vector<double> image;
    for (std::int64_t i = 0; i < columns; ++i) image.push_back(images.at(row * columns + i));
    auto const dims = image_dims({images.dims.begin() + 1, images.dims.end()});
    return file_->image(fmt::format("{}/sample_{}", fields_.image_source_layer_name, index), epochs,
                        pixels_of(dims, image));
  }

  callbacks::summarize_images fields_;
  CallbackContext const& run_;
  Span span_;
  TensorId images_, accuracies_;        ///< an invalid id: no accuracies
  std::int64_t left_ = 0;               ///< images that the pass may still show
  std::vector<std::int64_t> followed_;  ///< indices of images that are followed, on the root
  bool follows_ = false;                ///< whether this pass tells which are followed
  std::optional<EventFile> file_;
};

}  // namespace

std::unique_ptr<Callback> callback_of(callbacks::summarize_images const& fields,
                                      CallbackContext const& run, Span span) {
  return std::make_unique<SummarizeImages>(fields, run, span);
}

}  // namespace lbann::runtime
