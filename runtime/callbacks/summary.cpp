// Event files for TensorBoard. As Keras has them, each phase has a folder of its own and numbers of
// the same kind have one tag, so that training and validation lie over one another.
#include "schemas/callbacks/summary.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

#include "runtime/callbacks/factories.hpp"
#include "runtime/callbacks/first_images.hpp"
#include "runtime/callbacks/learning_rates.hpp"
#include "runtime/callbacks/observed_values.hpp"
#include "runtime/observation/event_file.hpp"
#include "schemas/plan/location.hpp"

namespace lbann::runtime {

namespace {

constexpr std::int64_t images_shown = 8;

class Summary final : public Callback {
 public:
  Summary(callbacks::summary_ fields, CallbackContext const& run, Span span)
      : fields_(std::move(fields)),
        run_(run),
        span_(span),
        rates_(learning_rates(run)),
        used_rates_(rates_.size()),
        images_(run, fields_.images, {"validation", "test"}, images_shown) {
    for (auto const& rate : rates_)
      rate_tags_.push_back(rates_.size() == 1
                               ? "learning_rate"
                               : "learning_rate/" + std::string(rate.weights.front()));
    for (auto const& metric : run.plan.metrics) {
      step_tags_.push_back("batch_" + metric.name);
      pass_tags_.push_back("epoch_" + metric.name);
    }
    for (auto const kind : {Observable::gradient, Observable::output})
      for (auto const* observation : observations_of(run.plan, kind, ExecutionMode::training))
        if (kind == Observable::gradient || names(fields_.layers, observation->name))
          observations_.push_back(observation);
  }

  // Parts of weights may have to be gathered.
  bool on_every_rank() const override { return true; }
  bool observes_steps() const override { return true; }

  bool reads(Iteration const& iteration) const override {
    return writes_histograms(iteration) || images_.reads(iteration);
  }

  Result<Success> read(Iteration const& iteration) override {
    auto const images =
        images_.reads(iteration) ? images_.take(iteration) : std::vector<FirstImages::Picture>();
    for (auto const& picture : images) {
      auto const epochs = iteration.mode == ExecutionMode::testing ? epochs_ : iteration.epoch + 1;
      auto* const file = this->file(iteration.mode, epochs);
      if (file == nullptr) break;
      if (auto done = file->image(picture.layer, epochs, picture.pixels); !done)
        return located_problem(done.problem());
    }
    if (writes_histograms(iteration)) histograms(iteration);
    return opened();
  }

  /// Schedules may change them before `step_end`.
  void step_begin(std::int64_t) override {
    for (std::size_t i = 0; i < rates_.size(); ++i) used_rates_[i] = *rates_[i].value;
  }

  Result<Success> step_end(StepResult const& step) override {
    if (!run_.is_root() || step.step % fields_.batch_interval != 0) return Success{};
    auto* const file = this->file(ExecutionMode::training, step.step);
    if (file == nullptr) return opened();
    number(*file, "batch_objective", step.step, step.objective);
    for (std::size_t i = 0; i < step.metrics.size(); ++i)
      number(*file, step_tags_[i], step.step, step.metrics[i]);
    for (std::size_t i = 0; i < rates_.size(); ++i)
      number(*file, rate_tags_[i], step.step, used_rates_[i]);
    number(*file, "step_seconds", step.step, step.seconds);
    number(*file, "waited_seconds", step.step, step.waited);
    return Success{};
  }

  Result<Success> phase_end(PhaseResult const& phase) override {
    bool const test = phase.mode == ExecutionMode::testing;
    auto const epochs = phase.epoch + (test ? 0 : 1);
    epochs_ = std::max(epochs_, epochs);
    if (!run_.is_root()) return Success{};
    auto* const file = this->file(phase.mode, epochs);
    if (file == nullptr) return opened();
    number(*file, "epoch_objective", epochs, phase.objective);
    for (std::size_t i = 0; i < phase.metrics.size(); ++i)
      number(*file, pass_tags_[i], epochs, phase.metrics[i]);
    if (phase.seconds > 0)
      number(*file, "samples_per_second", epochs,
             static_cast<double>(phase.samples) / phase.seconds);
    auto written = file->flush();
    return written ? written : located_problem(written.problem());
  }

 private:
  static bool names(std::vector<std::string> const& list, std::string const& name) {
    return std::ranges::find(list, name) != list.end();
  }

  bool writes_histograms(Iteration const& iteration) const {
    return iteration.mode == ExecutionMode::training && fields_.mat_interval > 0 &&
           iteration.step % fields_.mat_interval == 0;
  }

  /// Of weights after the step, and of the gradients and outputs that it has computed.
  void histograms(Iteration const& iteration) {
    for (auto const& weights : run_.plan.weights)
      if (weights.learning_rate.valid())
        histogram("weights/" + weights.name, weights.tensor, iteration);
    for (auto const* observation : observations_)
      histogram(observation->observable == Observable::gradient
                    ? "gradients/" + observation->name
                    : "outputs/" + observation->name + "/" + std::to_string(observation->index),
                observation->tensor, iteration);
  }

  void histogram(std::string const& tag, TensorId tensor, Iteration const& iteration) {
    auto const value = gather(run_, tensor, iteration);
    if (!run_.is_root()) return;
    auto* const file = this->file(ExecutionMode::training, iteration.step);
    if (file == nullptr) return;
    values_.resize(value.data.size() / bytes_of(value.type));
    for (std::size_t i = 0; i < values_.size(); ++i)
      values_[i] = value.at(static_cast<std::int64_t>(i));
    file->histogram(tag, iteration.step, values_);
  }

  static void number(EventFile& file, std::string_view tag, std::int64_t step, double value) {
    if (std::isfinite(value)) file.scalar(tag, step, value);
  }

  /// The file of a phase; null: it cannot be created, `opened` says why.
  EventFile* file(ExecutionMode mode, std::int64_t step) {
    auto& file = files_[static_cast<std::size_t>(mode)];
    if (file || problem_) return file ? &*file : nullptr;
    auto const* const folder = mode == ExecutionMode::training     ? "train"
                               : mode == ExecutionMode::validation ? "validation"
                                                                   : "test";
    auto made =
        EventFile::create(run_.model_folder(fields_.dir) / folder, run_.resumed ? step : -1);
    if (!made) {
      problem_ = made.problem();
      return nullptr;
    }
    file.emplace(std::move(made).value());
    if (mode == ExecutionMode::training) describe(*file);
    return &*file;
  }

  void describe(EventFile& file) const {
    auto const& plan = run_.plan;
    std::vector<EventFile::Node> nodes;
    for (auto const& layer : plan.layers) nodes.push_back({layer.name, layer.type, layer.parents});
    file.graph(nodes);
    std::vector<HyperParameter> settings{
        {"model", plan.experiment},
        {"mini_batch_size", static_cast<double>(plan.mini_batch_size)},
        {"max_epochs", static_cast<double>(plan.training.max_epochs)},
        {"random_seed", static_cast<double>(plan.random_seed)}};
    for (auto const& weights : plan.weights)
      if (!weights.optimizer.empty()) {
        settings.emplace_back("optimizer", weights.optimizer);
        break;
      }
    for (std::size_t i = 0; i < rates_.size(); ++i)
      settings.emplace_back(rate_tags_[i], *rates_[i].value);
    file.hyper_parameters(run_.work_directory.filename().string(), settings);
  }

  Result<Success> opened() const {
    if (problem_) return located_problem(*problem_);
    return Success{};
  }
  Problem located_problem(Problem const& problem) const {
    return Problem{located(run_.plan.sources, span_, problem.message)};
  }

  callbacks::summary_ fields_;
  CallbackContext const& run_;
  Span span_;
  std::vector<LearningRate> rates_;
  std::vector<double> used_rates_;  ///< of the step in progress
  FirstImages images_;
  std::vector<std::string> rate_tags_, step_tags_, pass_tags_;
  std::vector<Observation const*> observations_;
  std::array<std::optional<EventFile>, run_modes> files_;  ///< by ExecutionMode
  std::optional<Problem> problem_;                         ///< of creating a file
  std::vector<double> values_;
  std::int64_t epochs_ = 0;  ///< that were trained
};

}  // namespace

std::unique_ptr<Callback> callback_of(callbacks::summary_ const& fields, CallbackContext const& run,
                                      Span span) {
  return std::make_unique<Summary>(fields, run, span);
}

}  // namespace lbann::runtime
