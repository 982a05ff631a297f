// Waits are worth a line above a twentieth of the time, and above a second: below, they are those
// of the start.
#include "runtime/observation/data_waits.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <utility>

#include "runtime/memory/arenas.hpp"
#include "schemas/samples/read_totals.hpp"

namespace lbann::runtime {

namespace {

constexpr double worth_saying = 0.05, least_seconds = 1;

/// What one rank tells the others.
struct RankWaits {
  std::int64_t samples = 0, files = 0, bytes = 0;
  double waited = 0, seconds = 0;
};

double share_of(double waited, double seconds) { return seconds > 0 ? waited / seconds : 0; }

}  // namespace

void DataWaits::add(MiniBatch const& batch) {
  samples_ += batch.local;
  waited_in_pass_ += batch.waited;
}

std::string DataWaits::advice() const {
  auto text = fmt::format("more threads for data may help (--io-threads, now {}", threads_);
  if (threads_ >= cores_) text += fmt::format(", of {} cores", cores_);
  return text +
         "; num_workers of readers in Python), samples kept in memory (--use_data_store), copies "
         "on "
         "the node's own disk (--staging)";
}

std::optional<std::string> DataWaits::end_pass(std::string const& pass, double seconds) {
  auto const waited = std::exchange(waited_in_pass_, 0);
  waited_ += waited;
  seconds_ += seconds;
  if (said_ || waited < least_seconds || share_of(waited, seconds) < worth_saying)
    return std::nullopt;
  said_ = true;
  return fmt::format("steps waited for data {:.0f} % of {}, {:.1f} of {:.1f} s: {}",
                     100 * share_of(waited, seconds), pass, waited, seconds, advice());
}

std::optional<std::string> DataWaits::staging_progress() {
  if (!staged_) return std::nullopt;
  auto const counts = staged_->counts();
  auto const there = counts.copied + counts.found;
  if (std::exchange(staged_before_, there) == there) return std::nullopt;
  return fmt::format("staging : {} of {} files are on this node's disk", there, counts.wanted);
}

std::string DataWaits::summary(Communicator& ranks) const {
  auto const& read = read_totals();
  RankWaits const mine{samples_, read.files, read.bytes, waited_, seconds_};
  RankWaits all;
  for (auto const& bytes : ranks.gather(std::as_bytes(std::span(&mine, 1)))) {
    RankWaits one;
    std::memcpy(&one, bytes.data(), sizeof one);
    all.samples += one.samples;
    all.files += one.files;
    all.bytes += one.bytes;
    if (one.waited >= all.waited) {
      all.waited = one.waited;
      all.seconds = one.seconds;
    }
  }
  return fmt::format(
      "data   : {} samples, {} read from {} files; steps waited {:.1f} s for them, {:.1f} % of the "
      "time",
      all.samples, bytes_text(all.bytes), all.files, all.waited,
      100 * share_of(all.waited, all.seconds));
}

}  // namespace lbann::runtime
