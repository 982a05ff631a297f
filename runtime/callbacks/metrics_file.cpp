// Lines are formatted in a buffer of their maximum length; the file is flushed after every pass.
//
//     {"event":"step","epoch":0,"step":17,"samples":64,"seconds":0.0011,"objective":2.1,
//      "metrics":{"accuracy":31.25}}
//     {"event":"epoch","mode":"training","epoch":0,"samples":9000,"seconds":0.31,"complete":true,...}
#include "runtime/callbacks/metrics_file.hpp"

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cmath>
#include <cstring>
#include <nlohmann/json.hpp>

#include "runtime/callbacks/state_text.hpp"

namespace lbann::runtime {

namespace {

class MetricsFile final : public Callback {
 public:
  MetricsFile(CallbackContext const& run, std::FILE* file)
      : log_(run.log), file_(file, &std::fclose) {
    for (auto const& metric : run.plan.metrics) {
      keys_.push_back(nlohmann::json(metric.name)
                          .dump(-1, ' ', false, nlohmann::json::error_handler_t::replace) +
                      ':');
      length_ += keys_.back().size() + longest_number + 1;
    }
    line_.resize(length_);
  }

  bool observes_steps() const override { return true; }

  Result<Success> step_end(StepResult const& step) override {
    at_ = line_.data();
    append(R"({{"event":"step","epoch":{},"step":{},"samples":{},"seconds":{:.6g},"objective":)",
           step.epoch, step.step, step.samples, step.seconds);
    return finish(step.objective, step.metrics);
  }

  Result<Success> phase_end(PhaseResult const& phase) override {
    at_ = line_.data();
    append(R"({{"event":"epoch","mode":"{}","epoch":{},"samples":{},"seconds":{:.6g},)",
           name_of(phase.mode), phase.epoch, phase.samples, phase.seconds);
    append(R"("complete":{},"objective":)", phase.complete);
    auto written = finish(phase.objective, phase.metrics);
    if (!written) return written;
    return std::fflush(file_.get()) == 0 ? Result<Success>(Success{}) : failed();
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
  static constexpr std::size_t longest_number = 32;

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

  Result<Success> finish(double objective, std::span<double const> metrics) {
    append_number(objective);
    append("{}", R"(,"metrics":{)");
    for (std::size_t i = 0; i < metrics.size(); ++i) {
      append("{}{}", i == 0 ? "" : ",", keys_[i]);
      append_number(metrics[i]);
    }
    append("}}}}\n");
    auto const count = static_cast<std::size_t>(at_ - line_.data());
    if (std::fwrite(line_.data(), 1, count, file_.get()) != count) return failed();
    return Success{};
  }

  static Result<Success> failed() {
    return Problem{std::string("metrics.jsonl cannot be written: ") + std::strerror(errno)};
  }

  Log& log_;
  std::unique_ptr<std::FILE, int (*)(std::FILE*)> file_;
  std::vector<std::string> keys_;  ///< `"accuracy":`
  std::size_t length_ = 512;
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
