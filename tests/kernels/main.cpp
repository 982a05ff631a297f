// Runs the tests of kernels with Kokkos started, on two threads at least.
#define DOCTEST_CONFIG_IMPLEMENT
#include <Kokkos_Core.hpp>

#include <doctest/doctest.h>

int main(int argc, char** argv) {
  Kokkos::initialize();
  doctest::Context context(argc, argv);
  int const result = context.run();
  Kokkos::finalize();
  return result;
}
