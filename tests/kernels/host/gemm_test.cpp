// How matrix products on CPUs are cut into tasks.
#include "kernels/host/products/gemm.hpp"

#include <doctest/doctest.h>

#include "kernels/thread_team.hpp"

using namespace lbann;

TEST_CASE("gemm_tiling: where threads own rows, most have some, however deep the product") {
  for (std::int64_t rows : {64, 256, 1000, 4096})
    for (std::int64_t inner : {1, 300, 9000, 100000})
      for (std::int64_t columns : {10, 500, 4000}) {
        auto const tiling = kernels::host::gemm_tiling<float>(rows, inner, columns, false);
        CAPTURE(rows);
        CAPTURE(inner);
        CAPTURE(columns);
        if (tiling.owns_rows)
          CHECK(2 * tiling.chunk > kernels::ThreadTeam::size() * tiling.tile_height);
      }
}
