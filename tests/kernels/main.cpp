// Runs the tests of kernels with Kokkos started, on two threads.
#define DOCTEST_CONFIG_IMPLEMENT
#include <doctest/doctest.h>

#include "kernels/compute_threads.hpp"

int main(int argc, char** argv) {
  // Threads that wait must not keep a busy machine's cores.
  lbann::kernels::ComputeThreads const threads(2, lbann::kernels::WaitPolicy::passive);
  return doctest::Context(argc, argv).run();
}
