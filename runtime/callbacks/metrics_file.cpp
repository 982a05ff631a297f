// Lines are formatted in a buffer of their maximum length; the file is flushed after every pass.
//
//     {"event":"step","epoch":0,"step":17,"samples":64,"seconds":0.0011,"waited":0,
//      "learning_rates":{"all":0.01},"objective":2.1,"metrics":{"accuracy":31.25}}
//     {"event":"epoch","mode":"training","epoch":0,"samples":9000,"seconds":0.31,"waited":0.002,
//      "complete":true,"objective":2.2,"metrics":{"accuracy":28.1}}
//     {"event":"progress","mode":"validation","epoch":0,"steps":500,"samples":900,"seconds":0.01,
//      "objective":1.9,"metrics":{"accuracy":40.2}}
#include "runtime/callbacks/metrics_file.hpp"

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cmath>
#include <cstring>
#include <nlohmann/json.hpp>

#include "runtime/callbacks/learning_rates.hpp"
#include "runtime/callbacks/state_text.hpp"

namespace lbann::runtime {

namespace {

/// `"name":`
std::string key(std::string_view name) {
  return nlohmann::json(name).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace) + ':';
}

class MetricsFile final : public Callback {
 public:
  MetricsFile(CallbackContext const& run, std::FILE* file)
      : log_(run.log),
        file_(file, &std::fclose),
        loss_scale_(run.executor.scalar_or_null<double>(run.plan.loss_scale)) {
    auto length = shortest_line;
    auto const add_key = [&](std::vector<std::string>& keys, std::string_view name) {
      keys.push_back(key(name));
      length += keys.back().size() + longest_number + 1;
    };
    for (auto const& metric : run.plan.metrics) add_key(metric_keys_, metric.name);
    auto const rates = learning_rates(run);
    for (auto const& rate : rates) {
      rates_.push_back(rate.value);
      add_key(rate_keys_, rates.size() == 1 ? "all" : rate.weights.front());
    }
    used_rates_.resize(rates_.size());
    line_.resize(length);
  }

  bool observes_steps() const override { return true; }

  /// Schedules may change them before `step_end`.
  void step_begin(std::int64_t) override {
    for (std::size_t i = 0; i < rates_.size(); ++i) used_rates_[i] = *rates_[i];
    if (loss_scale_ != nullptr) used_scale_ = *loss_scale_;
  }

  Result<Success> step_end(StepResult const& step) override {
    at_ = line_.data();
    append(R"({{"event":"step","epoch":{},"step":{},"samples":{},"seconds":{:.6g},)", step.epoch,
           step.step, step.samples, step.seconds);
    append(R"("waited":{:.6g},"learning_rates":)", step.waited);
    append_object(rate_keys_, used_rates_);
    if (loss_scale_ != nullptr) append(R"(,"loss_scale":{})", used_scale_);
    append(R"(,"objective":)");
    return finish(step.objective, step.metrics);
  }

  Result<Success> phase_end(PhaseResult const& phase) override {
    at_ = line_.data();
    append(R"({{"event":"epoch","mode":"{}","epoch":{},"samples":{},"seconds":{:.6g},)",
           name_of(phase.mode), phase.epoch, phase.samples, phase.seconds);
    append(R"("waited":{:.6g},"complete":{},"objective":)", phase.waited, phase.complete);
    auto written = finish(phase.objective, phase.metrics);
    if (!written) return written;
    return std::fflush(file_.get()) == 0 ? Result<Success>(Success{}) : failed();
  }

  Result<Success> evaluated(PhaseResult const& phase, std::int64_t steps) override {
    at_ = line_.data();
    append(R"({{"event":"progress","mode":"{}","epoch":{},"steps":{},"samples":{},)",
           name_of(phase.mode), phase.epoch, steps, phase.samples);
    append(R"("seconds":{:.6g},"objective":)", phase.seconds);
    return finish(phase.objective, phase.metrics);
  }

  /// The length of the file. Its lines go to the system now; a checkpoint brings them to the disk.
  std::string state() const override {
    std::fflush(file_.get());
    return std::to_string(std::ftell(file_.get()));
  }

  /// Removes the lines written after the checkpoint.
  Result<Success> restore(std::span<std::string const> states) override {
    auto const length = StateReader(states.front()).integer().value_or(0);
    std::fflush(file_.get());
    struct stat status {};
    if (::fstat(::fileno(file_.get()), &status) != 0) return failed();
    if (status.st_size < length) {
      log_.line(
          "warning: metrics.jsonl is shorter than when the checkpoint was written: lines of "
          "steps before it are missing");
    } else if (::ftruncate(::fileno(file_.get()), length) != 0) {
      return failed();
    }
    return std::fseek(file_.get(), 0, SEEK_END) == 0 ? Result<Success>(Success{}) : failed();
  }

 private:
  static constexpr std::size_t shortest_line = 512, longest_number = 32;

  template <class... Arguments>
  void append(fmt::format_string<Arguments...> format, Arguments&&... arguments) {
    auto const room = static_cast<std::size_t>(line_.data() + line_.size() - at_);
    at_ = fmt::format_to_n(at_, room, format, std::forward<Arguments>(arguments)...).out;
  }

  void append_number(double value) {
    if (std::isfinite(value))
      append("{}", value);
    else
      append("null");
  }

  void append_object(std::span<std::string const> keys, std::span<double const> values) {
    append("{{");
    for (std::size_t i = 0; i < values.size(); ++i) {
      append("{}{}", i == 0 ? "" : ",", keys[i]);
      append_number(values[i]);
    }
    append("}}");
  }

  Result<Success> finish(double objective, std::span<double const> metrics) {
    append_number(objective);
    append(R"(,"metrics":)");
    append_object(metric_keys_, metrics);
    append("}}\n");
    auto const count = static_cast<std::size_t>(at_ - line_.data());
    if (std::fwrite(line_.data(), 1, count, file_.get()) != count) return failed();
    return Success{};
  }

  static Result<Success> failed() {
    return Problem{std::string("metrics.jsonl cannot be written: ") + std::strerror(errno)};
  }

  Log& log_;
  std::unique_ptr<std::FILE, int (*)(std::FILE*)> file_;
  double const* loss_scale_;
  std::vector<std::string> metric_keys_, rate_keys_;
  std::vector<double const*> rates_;
  std::vector<double> used_rates_;  ///< of the step in progress
  double used_scale_ = 0;           ///< likewise
  std::string line_;
  char* at_ = nullptr;
};

}  // namespace

Result<std::unique_ptr<Callback>> metrics_file(CallbackContext const& run) {
  auto const path = run.work_directory / "metrics.jsonl";
  auto* const file = std::fopen(path.c_str(), run.resumed ? "ab" : "wb");
  if (file == nullptr) {
    return Problem{path.string() + ": cannot be created: " + std::strerror(errno)};
  }
  return std::unique_ptr<Callback>(std::make_unique<MetricsFile>(run, file));
}

}  // namespace lbann::runtime
