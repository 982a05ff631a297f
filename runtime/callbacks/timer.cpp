// Run time of a pass and statistics of the time its mini-batches took.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "runtime/callbacks/factories.hpp"

namespace lbann::runtime {

namespace {

class Timer final : public Callback {
 public:
  Timer(callbacks::timer const& fields, CallbackContext const& run)
      : skip_(static_cast<std::size_t>(fields.skip_steps)), run_(run) {}

  Result<Success> phase_end(PhaseResult const& phase) override {
    auto const start = line_start(run_, phase);
    run_.log.detail(fmt::format("{} run time : {:g}s", start, phase.seconds));
    auto const all = phase.step_seconds;
    if (all.size() <= skip_) return Success{};
    std::vector<double> seconds(all.begin() + static_cast<std::ptrdiff_t>(skip_), all.end());
    std::sort(seconds.begin(), seconds.end());
    auto const count = seconds.size();
    auto const mean =
        std::accumulate(seconds.begin(), seconds.end(), 0.0) / static_cast<double>(count);
    auto const median = 0.5 * (seconds[(count - 1) / 2] + seconds[count / 2]);
    auto const squares = std::accumulate(
        seconds.begin(), seconds.end(), 0.0,
        [&](double sum, double value) { return sum + (value - mean) * (value - mean); });
    auto const deviation = count < 2 ? 0.0 : std::sqrt(squares / static_cast<double>(count - 1));
    // Fixed notation: scripts look for digits and a point.
    run_.log.detail(fmt::format(
        "{} mini-batch time statistics : {:.7f}s mean, {:.7f}s median, {:.7f}s max, {:.7f}s min, "
        "{:.7f}s stdev",
        start, mean, median, seconds.back(), seconds.front(), deviation));
    return Success{};
  }

 private:
  std::size_t skip_;
  CallbackContext const& run_;
};

}  // namespace

std::unique_ptr<Callback> callback_of(callbacks::timer const& fields, CallbackContext const& run,
                                      Span) {
  return std::make_unique<Timer>(fields, run);
}

}  // namespace lbann::runtime
