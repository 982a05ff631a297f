// The main function of the runtime's tests: they run kernels, so Kokkos is started.
#define DOCTEST_CONFIG_IMPLEMENT
#include <doctest/doctest.h>

#include "kernels/compute_threads.hpp"

int main(int argc, char** argv) {
  lbann::kernels::ComputeThreads const threads(2, lbann::kernels::WaitPolicy::passive);
  return doctest::Context(argc, argv).run();
}
