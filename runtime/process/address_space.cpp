// Runs before static constructors, so it uses nothing that needs them.
#include "runtime/process/address_space.hpp"

#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <string_view>

#include "kernels/vendor/blas/buffers.hpp"
#include "runtime/process/exit_code.hpp"

namespace lbann::runtime {

namespace {

constexpr long most_openblas_threads = 128;                     // as Debian builds OpenBLAS
constexpr std::size_t other_libraries = std::size_t{32} << 20;  // libraries that are loaded with it

long openblas_threads(char** environment) {
  long threads = std::clamp(::sysconf(_SC_NPROCESSORS_CONF), 1L, most_openblas_threads);
  constexpr std::string_view variable = "OMP_NUM_THREADS=";
  for (; *environment != nullptr; ++environment)
    if (std::string_view(*environment).starts_with(variable))
      if (auto const wanted = std::strtol(*environment + variable.size(), nullptr, 10); wanted > 0)
        threads = std::min(threads, wanted);
  return threads;
}

}  // namespace

void check_address_space(int, char**, char** environment) {
  using kernels::blas::buffer_bytes;
  auto const threads = openblas_threads(environment);
  if (kernels::blas::may_map(static_cast<std::size_t>(threads) * buffer_bytes + other_libraries))
    return;
  char text[400];
  auto const length = std::snprintf(
      text, sizeof text,
      "lbann-run: error: out of memory: OpenBLAS needs %zu MiB of address space for each of %ld "
      "thread%s, which this process may not have (ulimit -v)%s\n",
      buffer_bytes >> 20, threads, threads == 1 ? "" : "s",
      threads == 1 ? "" : "; allow more, or set OMP_NUM_THREADS=1");
  if (length > 0) {
    [[maybe_unused]] auto const written =
        ::write(STDERR_FILENO, text, std::min(static_cast<std::size_t>(length), sizeof text - 1));
  }
  ::_exit(exit_failed);
}

}  // namespace lbann::runtime
