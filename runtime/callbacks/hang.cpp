// Ranks that wait for a debugger.
#include <fmt/format.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <cstdio>
#include <thread>

#include "runtime/callbacks/factories.hpp"
#include "runtime/process/host_name.hpp"

/// Not 0: ranks that `hang` names wait. Of C linkage, so that a debugger finds it by this name.
extern "C" {
alignas(std::atomic_ref<int>::required_alignment) int lbann_hang = 1;
}

namespace lbann::runtime {

namespace {

class Hang final : public Callback {
 public:
  Hang(callbacks::hang const& fields, CallbackContext const& run) : rank_(fields.rank), run_(run) {}

  bool on_every_rank() const override { return true; }

  Result<Success> train_begin() override {
    auto const rank = run_.executor.rank(), ranks = run_.executor.ranks();
    if (rank_ >= ranks && run_.is_root())
      run_.log.line(
          fmt::format("warning: callback `hang`: no rank {} among {}, none waits", rank_, ranks));
    if (rank_ != -1 && rank_ != rank) return Success{};
    std::fputs(message(rank).c_str(), stderr);
    while (std::atomic_ref(lbann_hang).load() != 0)
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
    return Success{};
  }

 private:
  /// With a cast, because the program may have been built without debugging information.
  std::string message(std::int64_t rank) const {
    return fmt::format(
        "lbann-run: rank {} of trainer {} waits for a debugger: on {}, `gdb -p {}`, then "
        "`set var *(int*)&lbann_hang = 0` and `continue`{}\n",
        rank, run_.trainer, host_name(), ::getpid(),
        run_.executor.ranks() == 1 ? "" : "; other ranks wait for it as long as --stall-timeout");
  }

  std::int64_t rank_;
  CallbackContext const& run_;
};

}  // namespace

std::unique_ptr<Callback> callback_of(callbacks::hang const& fields, CallbackContext const& run,
                                      Span) {
  return std::make_unique<Hang>(fields, run);
}

}  // namespace lbann::runtime
