// Timeline of all ranks, for Perfetto (ui.perfetto.dev) and chrome://tracing.
#pragma once

#include <chrono>
#include <filesystem>
#include <string>
#include <vector>

#include "runtime/communication/communicator.hpp"
#include "runtime/data/mini_batch.hpp"
#include "runtime/execution/executor.hpp"

namespace lbann::runtime {

/// Events of one rank, in a buffer of fixed size; later ones are dropped. Time 0 is synchronised
/// between ranks by a barrier.
class Trace {
 public:
  /// Collective over `world`.
  explicit Trace(Communicator& world);

  /// Runs an entry point and records the times of every instruction and message.
  void run(BoundEntry const& entry);
  /// Records when a data thread read this mini-batch.
  void read(MiniBatch const& batch);

  /// Writes the events of all ranks to `path`, from rank 0. Collective.
  Result<Success> write(std::filesystem::path const& path) const;

 private:
  using Clock = std::chrono::steady_clock;
  enum class Kind : std::uint8_t { instruction, wait, message, read };
  struct Event {
    Kind kind;
    BoundEntry const* entry;  ///< null for `read`
    std::size_t index;        ///< of the instruction, or of the data thread
    std::int64_t run;         ///< how many entry points this rank had run before
    Clock::time_point begin, end;
  };
  void record(Event const& event);
  std::string json() const;

  Communicator& world_;
  Clock::time_point origin_;
  std::vector<Event> events_;
  std::vector<Clock::time_point> posted_;  ///< per message of the entry point being run
  std::vector<bool> arrived_;
  std::int64_t runs_ = 0;
  std::int64_t dropped_ = 0;  ///< events beyond the capacity
};

}  // namespace lbann::runtime
