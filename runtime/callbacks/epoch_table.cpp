// Columns are those that the terminal has room for, in the order of their worth.
#include "runtime/callbacks/epoch_table.hpp"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <chrono>
#include <cmath>
#include <cstdlib>
#include <limits>

namespace lbann::runtime {

namespace {

constexpr std::size_t narrow = 80;  ///< columns where there is no terminal
constexpr std::size_t spark_width = 12;
constexpr std::size_t number_width = 11;
constexpr auto unknown = std::numeric_limits<double>::quiet_NaN();

std::size_t terminal_width() {
  winsize size{};
  if (::ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) != 0 || size.ws_col == 0) return narrow;
  return size.ws_col;
}

/// Whether the console shows UTF-8, by the variables of locale(7).
bool shows_utf8() {
  for (auto const* name : {"LC_ALL", "LC_CTYPE", "LANG"}) {
    char const* const value = std::getenv(name);
    if (value == nullptr || *value == '\0') continue;
    std::string text(value);
    std::ranges::transform(text, text.begin(), [](unsigned char c) { return std::tolower(c); });
    return text.find("utf-8") != text.npos || text.find("utf8") != text.npos;
  }
  return false;
}

std::string cell(double value, std::string_view unit = "") {
  auto const text = std::isfinite(value) ? fmt::format("{:.4g}{}", value, unit) : "-";
  return fmt::format("{:>{}}", text, number_width);
}

/// What a row shows of a pass.
struct Numbers {
  double objective = unknown;
  std::vector<double> metrics;
};

class EpochTable final : public Callback {
 public:
  explicit EpochTable(CallbackContext const& run)
      : run_(run),
        utf8_(shows_utf8()),
        validates_(run.sizes.of(ExecutionMode::validation).samples > 0),
        width_(run.log.terminal() ? terminal_width() : narrow) {
    std::size_t const per_metric = number_width * (validates_ ? 2 : 1);
    auto used = 7 + per_metric + 22;
    while (shown_metrics_ < run.plan.metrics.size() && used + per_metric <= width_) {
      used += per_metric;
      ++shown_metrics_;
    }
    sparks_ = utf8_ && used + spark_width + 2 <= width_;
  }

  bool observes_steps() const override { return run_.log.terminal(); }

  Result<Success> epoch_begin(std::int64_t epoch) override {
    if (!has_header_) header();
    has_header_ = true;
    steps_ = run_.sizes.of(ExecutionMode::training, epoch).steps();
    seconds_ = 0;
    count_ = 0;
    return Success{};
  }

  Result<Success> step_end(StepResult const& step) override {
    seconds_ += step.seconds;
    ++count_;
    auto const now = Clock::now();
    if (now - shown_ < std::chrono::milliseconds(100)) return Success{};
    shown_ = now;
    run_.log.status(bar(step));
    return Success{};
  }

  Result<Success> phase_end(PhaseResult const& phase) override {
    Numbers numbers{phase.objective, {phase.metrics.begin(), phase.metrics.end()}};
    switch (phase.mode) {
      case ExecutionMode::training:
        training_ = std::move(numbers);
        epoch_ = phase.epoch;
        epoch_seconds_ = phase.seconds;
        samples_per_second_ =
            phase.seconds > 0 ? static_cast<double>(phase.samples) / phase.seconds : unknown;
        has_row_ = false;
        if (!validates_) row(Numbers{});
        break;
      case ExecutionMode::validation:
        row(numbers);
        break;
      case ExecutionMode::testing:
      case ExecutionMode::tournament:
      case ExecutionMode::prediction:
        test(numbers);
    }
    return Success{};
  }

  /// An epoch that a signal ended has no validation.
  Result<Success> train_end() override {
    if (!has_row_) row(Numbers{});
    return Success{};
  }

 private:
  using Clock = std::chrono::steady_clock;

  void header() {
    auto const& metrics = run_.plan.metrics;
    auto first = fmt::format("{:>7}{:>{}}", "", "objective", number_width);
    auto second = fmt::format("{:>7}{:>{}}", "epoch", "training", number_width);
    auto const add = [&](std::string name, std::string_view phase) {
      constexpr std::size_t longest = number_width - 1;
      if (name.size() > longest) name = name.substr(0, longest - 1) + ".";
      first += fmt::format("{:>{}}", name, number_width);
      second += fmt::format("{:>{}}", phase, number_width);
    };
    if (validates_) add("", "validation");
    for (std::size_t i = 0; i < shown_metrics_; ++i) {
      add(metrics[i].name, "training");
      if (validates_) add("", "validation");
    }
    run_.log.table(first);
    run_.log.table(second + fmt::format("{:>10}{:>12}", "time", "samples/s"));
  }

  void row(Numbers const& validation) {
    has_row_ = true;
    if (!has_header_) header();
    has_header_ = true;
    auto text = fmt::format("{:>7}", epoch_ + 1) + cell(training_.objective);
    if (validates_) text += cell(validation.objective);
    for (std::size_t i = 0; i < shown_metrics_; ++i) {
      auto const& unit = run_.plan.metrics[i].unit;
      text += cell(training_.metrics[i], unit);
      if (validates_)
        text += cell(validation.metrics.empty() ? unknown : validation.metrics[i], unit);
    }
    text += fmt::format("{:>10}", duration_text(epoch_seconds_)) +
            fmt::format("{:>12.{}f}", samples_per_second_, samples_per_second_ < 100 ? 2 : 0);
    history_.push_back(validates_ ? validation.objective : training_.objective);
    if (sparks_) {
      auto const count = std::min(history_.size(), spark_width);
      text += "  " + sparkline(std::span(history_).last(count));
    }
    run_.log.table(text);
  }

  void test(Numbers const& numbers) {
    auto text = fmt::format("{:>7} objective {:.4g}", "test", numbers.objective);
    for (std::size_t i = 0; i < numbers.metrics.size(); ++i)
      text += fmt::format(", {} {:.4g}{}", run_.plan.metrics[i].name, numbers.metrics[i],
                          run_.plan.metrics[i].unit);
    run_.log.table(text);
  }

  std::string bar(StepResult const& step) const {
    constexpr std::size_t longest = 24, shortest = 10;
    auto const done = step.step_of_epoch + 1;
    auto const per_step = seconds_ / static_cast<double>(count_);
    auto const epoch_left = per_step * static_cast<double>(steps_ - done);
    auto const start = fmt::format("{:>7} ", step.epoch + 1);
    // A line that wraps could not be erased.
    auto const room = width_ - std::min(width_, start.size() + 1);
    auto text = fmt::format(" {}/{} steps, objective {:.4g}, {} left", done, steps_, step.objective,
                            duration_text(epoch_left));
    text.resize(std::min(text.size(), room));
    auto const add = [&](std::string const& more) {
      if (text.size() + more.size() + shortest <= room) text += more;
    };
    auto const epochs_after = run_.plan.training.max_epochs - step.epoch - 1;
    auto const all_left = epoch_left + static_cast<double>(epochs_after * steps_) * per_step;
    if (epochs_after > 0) add(fmt::format(", {} in all", duration_text(all_left)));
    add(fmt::format(", {:.3g} ms each", 1e3 * per_step));
    auto const blocks = std::min(longest, room - text.size());
    auto const filled = blocks * static_cast<std::size_t>(done) /
                        static_cast<std::size_t>(std::max<std::int64_t>(steps_, 1));
    std::string bar;
    for (std::size_t i = 0; i < blocks; ++i)
      bar += i < filled ? (utf8_ ? "█" : "#") : (utf8_ ? "░" : ".");
    return start + bar + text;
  }

  CallbackContext const& run_;
  bool utf8_, validates_;
  std::size_t width_;  ///< columns of the terminal
  bool sparks_ = false, has_header_ = false;
  bool has_row_ = true;  ///< the epoch that was trained last
  std::size_t shown_metrics_ = 0;
  std::int64_t steps_ = 0, count_ = 0;  ///< of the epoch in progress
  double seconds_ = 0;
  Clock::time_point shown_;
  Numbers training_;  ///< of the last epoch
  std::int64_t epoch_ = 0;
  double epoch_seconds_ = 0, samples_per_second_ = unknown;
  std::vector<double> history_;  ///< objectives
};

}  // namespace

std::string sparkline(std::span<double const> values) {
  constexpr std::array<std::string_view, 8> blocks = {"▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"};
  auto least = std::numeric_limits<double>::infinity(), most = -least;
  for (auto const value : values)
    if (std::isfinite(value)) {
      least = std::min(least, value);
      most = std::max(most, value);
    }
  std::string text;
  for (auto const value : values) {
    auto const part = most > least ? (value - least) / (most - least) : 0;
    text += std::isfinite(value) ? blocks[static_cast<std::size_t>(std::lround(7 * part))] : " ";
  }
  return text;
}

std::string duration_text(double seconds) {
  if (seconds < 0.1) return fmt::format("{:.3g} ms", 1e3 * seconds);
  if (seconds < 60) return fmt::format("{:.3g} s", seconds);
  auto const whole = std::llround(seconds);
  auto const minutes = whole / 60;
  if (minutes < 60) return fmt::format("{}:{:02}", minutes, whole % 60);
  return fmt::format("{}:{:02}:{:02}", minutes / 60, minutes % 60, whole % 60);
}

std::unique_ptr<Callback> epoch_table(CallbackContext const& run) {
  return std::make_unique<EpochTable>(run);
}

}  // namespace lbann::runtime
