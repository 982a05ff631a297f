// The main function of the runtime's tests: they run kernels, so Kokkos is started.
#define DOCTEST_CONFIG_IMPLEMENT
#include <doctest/doctest.h>

#include "runtime/execution/threads.hpp"

int main(int argc, char** argv) {
  lbann::runtime::ComputeThreads const threads(2);
  return doctest::Context(argc, argv).run();
}
