// A number and a unit.
#include "schemas/callbacks/checkpoint_interval.hpp"

#include <charconv>
#include <cmath>

#include "schemas/vocabulary/counts.hpp"

namespace lbann::callbacks {

namespace {

struct TimeUnit {
  std::string_view name;
  double seconds;
};

constexpr TimeUnit time_units[] = {{"s", 1},       {"sec", 1},      {"second", 1},   {"seconds", 1},
                                   {"min", 60},    {"minute", 60},  {"minutes", 60}, {"h", 3600},
                                   {"hour", 3600}, {"hours", 3600}, {"d", 86400},    {"day", 86400},
                                   {"days", 86400}};

}  // namespace

std::optional<CheckpointInterval> parse_checkpoint_interval(std::string_view text) {
  double count = 0;
  auto const [end, error] = std::from_chars(text.data(), text.data() + text.size(), count);
  if (error != std::errc{} || !(count > 0) || count > most_counted) return std::nullopt;
  auto unit = text.substr(static_cast<std::size_t>(end - text.data()));
  while (unit.starts_with(' ')) unit.remove_prefix(1);
  CheckpointInterval interval;
  bool const whole = count == std::floor(count);
  if (whole && (unit == "step" || unit == "steps")) {
    interval.steps = static_cast<std::int64_t>(count);
    return interval;
  }
  if (whole && (unit == "epoch" || unit == "epochs")) {
    interval.epochs = static_cast<std::int64_t>(count);
    return interval;
  }
  for (auto const& known : time_units)
    if (unit == known.name) {
      interval.seconds = count * known.seconds;
      return interval;
    }
  return std::nullopt;
}

}  // namespace lbann::callbacks
