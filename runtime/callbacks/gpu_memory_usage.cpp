// Memory in use at the end of an epoch.
#include <fmt/format.h>

#include "runtime/callbacks/factories.hpp"

namespace lbann::runtime {

namespace {

/// Without a device, reports the arenas, the memory of the computation.
class GpuMemoryUsage final : public Callback {
 public:
  explicit GpuMemoryUsage(CallbackContext const& run) : run_(run) {}

  Result<Success> phase_end(PhaseResult const& phase) override {
    if (phase.mode != ExecutionMode::training) return Success{};
    run_.log.line(fmt::format(
        "{} memory usage : no device, arenas {}, peak resident {}", line_start(run_, phase),
        bytes_text(run_.executor.arenas().total_bytes()), bytes_text(peak_resident_bytes())));
    return Success{};
  }

 private:
  CallbackContext const& run_;
};

}  // namespace

std::unique_ptr<Callback> callback_of(callbacks::gpu_memory_usage const&,
                                      CallbackContext const& run, Span) {
  return std::make_unique<GpuMemoryUsage>(run);
}

}  // namespace lbann::runtime
