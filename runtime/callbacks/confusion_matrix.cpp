// Fraction of the samples for each pair of predicted class and label, in every pass.
#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "runtime/callbacks/factories.hpp"
#include "runtime/callbacks/state_text.hpp"
#include "runtime/callbacks/value_files.hpp"
#include "schemas/plan/location.hpp"

namespace lbann::runtime {

namespace {

class ConfusionMatrix final : public Callback {
 public:
  ConfusionMatrix(callbacks::confusion_matrix fields, CallbackContext const& run, Span span)
      : fields_(std::move(fields)), run_(run), span_(span) {
    for (std::size_t mode = 0; mode < pairs_.size(); ++mode)
      for (auto const* observation :
           observations_of(run.plan, Observable::output, static_cast<ExecutionMode>(mode))) {
        if (observation->index != 0) continue;
        if (observation->name == fields_.prediction) pairs_[mode].prediction = observation->tensor;
        if (observation->name == fields_.label) pairs_[mode].label = observation->tensor;
      }
    auto const& shape = run.plan.program[pairs_[0].label].type.shape;
    classes_ = shape.elements(1);
    counts_.assign(static_cast<std::size_t>(classes_ * classes_), 0);
  }

  // Every rank counts its own samples.
  bool on_every_rank() const override { return true; }
  bool reads(Iteration const&) const override { return true; }

  Result<Success> read(Iteration const& iteration) override {
    auto const& pair = pairs_[static_cast<std::size_t>(iteration.mode)];
    auto const labels = run_.executor.read(pair.label, iteration.local);
    auto const predictions = run_.executor.read(pair.prediction, iteration.local);
    for (std::int64_t row = 0; row < iteration.local; ++row)
      ++counts_[static_cast<std::size_t>(class_of(predictions, row) * classes_ +
                                         class_of(labels, row))];
    return Success{};
  }

  Result<Success> phase_end(PhaseResult const& phase) override {
    if (run_.ranks != nullptr)
      run_.ranks->all_reduce(counts_.data(), static_cast<std::int64_t>(counts_.size()),
                             DataType::i64);
    auto const samples = std::accumulate(counts_.begin(), counts_.end(), std::int64_t{0});
    std::string text;
    for (std::size_t i = 0; i < counts_.size(); ++i)
      fmt::format_to(
          std::back_inserter(text), "{}{}",
          static_cast<double>(counts_[i]) / static_cast<double>(std::max(samples, std::int64_t{1})),
          (i + 1) % static_cast<std::size_t>(classes_) == 0 ? '\n' : ',');
    counts_.assign(counts_.size(), 0);
    if (!run_.is_root()) return Success{};
    std::filesystem::path const prefix = fields_.prefix;
    auto const path = run_.model_folder(prefix.parent_path()) /
                      (prefix.filename().string() + name_of(phase) + ".csv");
    auto written = write_file(path, text);
    if (!written) return Problem{located(run_.plan.sources, span_, written.problem().message)};
    return written;
  }

  std::string state() const override {
    StateText text;
    for (auto const count : counts_) text << count;
    return text.text();
  }
  Result<Success> restore(std::span<std::string const> states) override {
    counts_.assign(counts_.size(), 0);
    for (auto const& state : states) {
      StateReader read(state);
      for (auto& count : counts_) count += read.integer().value_or(0);
    }
    return Success{};
  }

 private:
  struct Pair {
    TensorId prediction, label;
  };

  /// LBANN's names; epochs count those that are finished.
  static std::string name_of(PhaseResult const& phase) {
    switch (phase.mode) {
      case ExecutionMode::training:
        return fmt::format("train-epoch{}", phase.epoch + 1);
      case ExecutionMode::validation:
        return fmt::format("validation-epoch{}", phase.epoch + 1);
      case ExecutionMode::testing:
      case ExecutionMode::tournament:
      case ExecutionMode::prediction:
        break;
    }
    return "test";
  }

  /// The index of the largest entry, the first of several.
  std::int64_t class_of(kernels::View const& view, std::int64_t row) const {
    auto const largest = [&](auto const* values) {
      std::int64_t best = 0;
      for (std::int64_t i = 1; i < classes_; ++i)
        if (values[i] > values[best]) best = i;
      return best;
    };
    return view.type == DataType::f64 ? largest(view.as<double>() + row * classes_)
                                      : largest(view.as<float>() + row * classes_);
  }

  callbacks::confusion_matrix fields_;
  CallbackContext const& run_;
  Span span_;
  std::array<Pair, run_modes> pairs_;  ///< by ExecutionMode
  std::int64_t classes_ = 0;
  std::vector<std::int64_t> counts_;  ///< by prediction, then by label
};

}  // namespace

std::unique_ptr<Callback> callback_of(callbacks::confusion_matrix const& fields,
                                      CallbackContext const& run, Span span) {
  return std::make_unique<ConfusionMatrix>(fields, run, span);
}

}  // namespace lbann::runtime
