// How matrix products on CPUs are cut into tasks.
#include "kernels/host/products/gemm.hpp"

#include <doctest/doctest.h>

#include <numeric>
#include <set>
#include <vector>

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

TEST_CASE("sums of halves: of few rows with a large matrix stored row by row, both of them some") {
  using kernels::StridedMatrix;
  auto const halves = [](std::int64_t rows, std::int64_t inner, std::int64_t columns,
                         bool by_rows) {
    StridedMatrix<float> const matrix{nullptr, by_rows ? columns : 1, by_rows ? 1 : inner};
    return kernels::host::sums_halves(matrix, rows, inner, columns);
  };
  CHECK(halves(128, 1024, 1024, true));
  CHECK_FALSE(halves(128, 1024, 1024, false));
  CHECK_FALSE(halves(512, 1024, 1024, true));
  CHECK_FALSE(halves(128, 1024, 256, true));
  CHECK_FALSE(halves(2, 8, 1 << 20, true));
  for (std::int64_t inner = 384; inner < 2000; ++inner) {
    auto const tiling = kernels::host::gemm_tiling<float>(96, inner, 1000, false, true);
    CHECK(tiling.part() < inner);
    CHECK(2 * tiling.part() >= inner);
  }
  CHECK(kernels::host::gemm_tiling<float>(96, 1000, 1000, true, true).parts == 1);
}

TEST_CASE("packed right factors: by rows the panels that panel after panel gives") {
  using namespace kernels::host;
  constexpr std::int64_t width = tile_columns<float>, n = lanes<float>;
  constexpr std::int64_t rows = 20, pitch = 4 * width, first = 3, depth = 14, column = 2;
  constexpr std::int64_t panel = 17 * width;
  std::vector<float> matrix(rows * pitch);
  std::iota(matrix.begin(), matrix.end(), 1.0f);
  kernels::StridedMatrix<float> const b{matrix.data(), pitch, 1};
  for (std::int64_t columns = 1; columns <= 3 * width; ++columns) {
    CAPTURE(columns);
    std::vector<float> by_rows(4 * panel, -1.0f), by_panels = by_rows;
    pack_right_panels(b, first, depth, rows, column, columns, panel, by_rows.data());
    for (std::int64_t j = 0; j < columns; j += width)
      pack_right(b, first, depth, column + j, std::min(width, columns - j),
                 by_panels.data() + j / width * panel);
    CHECK(by_rows == by_panels);
    auto const last = (columns - 1) / width * panel + (columns - 1) % width;
    CHECK(by_rows[static_cast<std::size_t>(last + (depth - 1) * width)] ==
          *b.at(first + depth - 1, column + columns - 1));
    if (columns % n != 0 && columns < width) CHECK(by_rows[static_cast<std::size_t>(columns)] == 0);
  }
}

TEST_CASE("epilogue prefetch: lines of the matrices beside a tile, updated ones first, once each") {
  using namespace kernels;
  constexpr std::int64_t rows = 40, columns = 200, row = 8, column = 96;
  alignas(64) static float weights[rows][columns], moments[rows][columns], other[rows][columns];
  float bias[columns] = {};
  auto const matrix = [](void* data) { return View{data, DataType::f32, 2, {rows, columns}}; };
  View const operands[] = {matrix(nullptr),
                           matrix(other),
                           {bias, DataType::f32, 1, {columns}},
                           matrix(weights),
                           matrix(moments)};
  View const outputs[] = {matrix(weights), matrix(moments)};
  std::int64_t const shape[] = {rows, columns};
  auto const expression =
      *parse_expression("(subtract(i3, add(add(i0, i1), i2)), add(i4, add(add(i0, i1), i2)))");
  auto const map = host::MapEngine::bind({expression, DataType::f32, shape, operands, outputs});
  REQUIRE(map.has_value());
  host::EpiloguePrefetch<float> const prefetch(*map, columns);
  REQUIRE_FALSE(prefetch.empty());
  for (std::int64_t depth : {1, 7, 64, 192}) {
    auto const along = prefetch.rows(host::PackedRows{1}, row, column, depth);
    CHECK(along.at_once * depth >= along.count);
    std::multiset<void const*> lines;
    for (std::int64_t i = 0; i < along.count; ++i) lines.insert(along.origin + along.lines[i]);
    for (auto const* data : {weights, moments, other})
      for (std::int64_t r = 0; r < host::tile_rows; ++r)
        for (std::int64_t c = 0; c < host::tile_columns<float>; c += 16)
          CHECK(lines.count(&data[row + r][column + c]) == 1);
    CHECK(2 * along.count == 3 * along.written);
    // The last third is that of the matrix that is only read.
    CHECK(along.origin + along.lines[along.written] ==
          static_cast<void const*>(&other[row][column]));
  }
}
