// Reads OpenMP's environment variables, which users and job scripts set anyway.
#include "runtime/execution/threads.hpp"

#include <omp.h>
#include <strings.h>

#include <cstdlib>
#include <system_error>

#include "runtime/execution/start_device.hpp"

namespace lbann::runtime {

std::int64_t wanted_threads() {
  return std::getenv("OMP_NUM_THREADS") == nullptr ? 0 : omp_get_max_threads();
}

kernels::WaitPolicy wanted_wait_policy() {
  char const* const policy_text = std::getenv("OMP_WAIT_POLICY");
  if (policy_text == nullptr) return kernels::WaitPolicy::adaptive;
  if (::strcasecmp(policy_text, "passive") == 0) return kernels::WaitPolicy::passive;
  if (::strcasecmp(policy_text, "active") == 0) return kernels::WaitPolicy::active;
  return kernels::WaitPolicy::adaptive;
}

Result<std::unique_ptr<kernels::ComputeThreads>> start_threads(ThreadChoice const& choice) {
  if (!choice.own.empty()) {
    set_affinity(choice.own);
    OnAllCores::set(choice.own);
  }
  if (auto started = start_device(choice.rank_on_node); !started) return started.problem();
  // With more threads than cores, a spinning thread takes a core from one with work.
  auto const policy = choice.warns ? kernels::WaitPolicy::passive : wanted_wait_policy();
  auto const started = [&](std::int64_t thread) {
    if (!choice.places.empty()) set_affinity(choice.places[static_cast<std::size_t>(thread)]);
  };
  try {
    return std::make_unique<kernels::ComputeThreads>(choice.compute, policy, started);
  } catch (std::system_error const& error) {
    return Problem{"no " + std::to_string(choice.compute) + " threads can be started (" +
                   error.code().message() + "); fewer are asked for with --threads"};
  }
}

}  // namespace lbann::runtime
