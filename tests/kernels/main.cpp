// Runs the tests of kernels with Kokkos started, on two threads.
#define DOCTEST_CONFIG_IMPLEMENT
#include <doctest/doctest.h>

#include <cstdio>

#include "kernels/compute_threads.hpp"
#include "kernels/device/device.hpp"

int main(int argc, char** argv) {
  if (auto const started = lbann::device::start(0); !started) {
    std::fprintf(stderr, "%s\n", started.problem().message.c_str());
    return 1;
  }
  // Threads that wait must not keep a busy machine's cores.
  lbann::kernels::ComputeThreads const threads(2, lbann::kernels::WaitPolicy::passive);
  return doctest::Context(argc, argv).run();
}
