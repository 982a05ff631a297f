// Ends the job when the device fails: its other ranks may wait for this one.
#include "runtime/execution/start_device.hpp"

#include "kernels/device/device.hpp"
#include "kernels/jit/compiler.hpp"
#include "runtime/communication/mpi.hpp"
#include "runtime/communication/watchdog.hpp"
#include "runtime/process/exit_code.hpp"
#include "runtime/process/fail.hpp"
#include "runtime/process/position.hpp"

namespace lbann::runtime {

namespace {

void end_failed_job(std::string const& message) {
  // Work is queued: the failed instruction is the one being queued, or an earlier one.
  auto const* const at = position().load();
  fail(at == nullptr ? message : message + ", at or before " + at, exit_failed);
  Watchdog::announce_exit();
  end_job(exit_failed);
}

}  // namespace

Result<Success> start_device(std::int64_t rank_on_node) {
  device::on_failure(&end_failed_job);
  return device::start(rank_on_node);
}

std::string device_line() {
  auto const description = device::description();
  if (description.empty())
    return device::tf32_is_allowed() ? "device : --tf32 changes nothing, CPUs compute in f32" : "";
  auto line = "device : " + description;
  if (device::tf32_is_allowed()) line += ", products in TF32";
  if (device::kind() == device::Kind::cuda && !kernels::jit::is_available())
    line += "; no libnvrtc.so.13: maps run as they were compiled ahead of time, more slowly";
  return line;
}

}  // namespace lbann::runtime
