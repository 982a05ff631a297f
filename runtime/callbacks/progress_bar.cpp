// Progress of an epoch.
//
//     training epoch 3 [=============>                ]  44% (62/141) 1.2 ms/step, 0.1 s left,
//     objective 0.0831
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <numeric>

#include "runtime/callbacks/factories.hpp"

namespace lbann::runtime {

namespace {

class ProgressBar final : public Callback {
 public:
  ProgressBar(callbacks::progress_bar const& fields, CallbackContext const& run)
      : fields_(fields),
        run_(run),
        seconds_(static_cast<std::size_t>(fields.moving_average_length), 0.0),
        objectives_(seconds_),
        bar_(static_cast<std::size_t>(fields.bar_width), ' ') {
    if (fields.print_mem_usage)
      memory_ = ", memory " + bytes_text(run.executor.arenas().total_bytes());
  }

  // A table of epochs has a bar of its own.
  bool observes_steps() const override { return run_.log.style() == LogStyle::lbann; }

  Result<Success> epoch_begin(std::int64_t epoch) override {
    count_ = 0;
    steps_ = run_.sizes.of(ExecutionMode::training, epoch).steps();
    // Without a terminal every update is a line of a log: ten per epoch by default.
    line_interval_ = fields_.newline_interval > 0 ? fields_.newline_interval
                                                  : std::max<std::int64_t>(1, (steps_ + 9) / 10);
    return Success{};
  }

  Result<Success> step_end(StepResult const& step) override {
    auto const slot = static_cast<std::size_t>(count_) % seconds_.size();
    seconds_[slot] = step.seconds;
    objectives_[slot] = step.objective;
    ++count_;
    auto const done = step.step_of_epoch + 1;
    if (run_.log.terminal() && done % fields_.interval == 0) run_.log.status(show(step, done));
    bool const line = run_.log.terminal()
                          ? fields_.newline_interval > 0 && done % fields_.newline_interval == 0
                          : done % line_interval_ == 0 || done == steps_;
    if (line) run_.log.line(show(step, done));
    return Success{};
  }

 private:
  std::string_view show(StepResult const& step, std::int64_t done) {
    auto const used = std::min(static_cast<std::size_t>(count_), seconds_.size());
    auto const mean = [&](std::vector<double> const& values) {
      return std::accumulate(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(used),
                             0.0) /
             static_cast<double>(used);
    };
    auto const filled = static_cast<std::size_t>(static_cast<std::int64_t>(bar_.size()) * done /
                                                 std::max<std::int64_t>(steps_, 1));
    for (std::size_t i = 0; i < bar_.size(); ++i)
      bar_[i] = i < filled ? '=' : i == filled ? '>' : ' ';
    auto const seconds = mean(seconds_);
    auto const end =
        fmt::format_to_n(text_.data(), text_.size(),
                         "training epoch {} [{}] {:3}% ({}/{}) {:.3g} ms/step, {:.3g} s "
                         "left, objective ",
                         step.epoch, bar_, 100 * done / std::max<std::int64_t>(steps_, 1), done,
                         steps_, 1e3 * seconds, seconds * static_cast<double>(steps_ - done))
            .out;
    auto const room = static_cast<std::size_t>(text_.data() + text_.size() - end);
    auto const objective = mean(objectives_);
    auto const last = fields_.scientific_notation
                          ? fmt::format_to_n(end, room, "{:.3e}", objective).out
                          : fmt::format_to_n(end, room, "{:.4g}", objective).out;
    auto const rest = static_cast<std::size_t>(text_.data() + text_.size() - last);
    auto const all = fmt::format_to_n(last, rest, "{}", memory_).out;
    return {text_.data(), static_cast<std::size_t>(all - text_.data())};
  }

  callbacks::progress_bar fields_;
  CallbackContext const& run_;
  std::int64_t steps_;
  std::int64_t line_interval_;
  std::int64_t count_ = 0;
  std::vector<double> seconds_;
  std::vector<double> objectives_;
  std::string bar_;
  std::string memory_;  ///< text on memory allocated before the first step; empty: not shown
  std::array<char, 1200> text_{};
};

}  // namespace

std::unique_ptr<Callback> callback_of(callbacks::progress_bar const& fields,
                                      CallbackContext const& run, Span) {
  return std::make_unique<ProgressBar>(fields, run);
}

}  // namespace lbann::runtime
