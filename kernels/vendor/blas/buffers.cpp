// A product large enough that the library packs its factors.
#include "kernels/vendor/blas/buffers.hpp"

#include <sys/mman.h>

#include <vector>

#include "kernels/thread_team.hpp"
#include "kernels/vendor/blas/entries.hpp"

namespace lbann::kernels::blas {

bool may_map(std::size_t bytes) {
  void* const place = ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE,
                             MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  return place != MAP_FAILED && ::munmap(place, bytes) == 0;
}

Result<Success> take_buffers() {
  auto const threads = ThreadTeam::size();
  if (!may_map(static_cast<std::size_t>(threads) * buffer_bytes))
    return Problem{
        "out of memory: OpenBLAS needs " + std::to_string(buffer_bytes >> 20) +
        " MiB of address space for products on each of " + std::to_string(threads) +
        " threads, which this process may not have (ulimit -v); --threads asks for fewer"};
  ThreadTeam::for_each_part(threads, [](std::int64_t) {
    // Products below 100^3 operations are not packed.
    constexpr int size = 128;
    std::vector<float> const factor(std::size_t{size} * size);
    std::vector<float> product(factor.size());
    float const one = 1, zero = 0;
    sgemm_("N", "N", &size, &size, &size, &one, factor.data(), &size, factor.data(), &size, &zero,
           product.data(), &size);
  });
  return Success{};
}

}  // namespace lbann::kernels::blas
