// Register tiles of products against sums in double, and which heights they get.
#include "kernels/host/products/microkernel.hpp"

#include <doctest/doctest.h>

#include <random>
#include <vector>

using namespace lbann::kernels::host;

namespace {

constexpr std::int64_t depth = 13, pitch = 3 * tile_columns<float>;

/// A tile of all rows of `height` and some columns, its registers wherever `rows` says.
template <int height, class Rows>
void check_tile(Rows const& rows, int columns, bool add) {
  CAPTURE(height);
  CAPTURE(columns);
  CAPTURE(add);
  std::mt19937 generator(1);
  std::uniform_real_distribution<float> number(-1, 1);
  std::vector<float> a(depth * height), b(depth * pitch), c(height * pitch, 0.5f);
  for (auto* values : {&a, &b})
    for (auto& value : *values) value = number(generator);
  run_microkernel<float>(height, a.data(), b.data(), rows, depth,
                         TileTarget<float>{c.data(), pitch, height, columns, add});
  for (int r = 0; r < height; ++r)
    for (int j = 0; j < pitch; ++j) {
      double sum = j < columns && !add ? 0.0 : 0.5;
      for (std::int64_t k = 0; k < depth && j < columns; ++k) {
        auto const at = rows(k) + rows.register_begin(j / lanes<float>, lanes<float>);
        sum += static_cast<double>(a[static_cast<std::size_t>(k * height + r)]) *
               static_cast<double>(b[static_cast<std::size_t>(at + j % lanes<float>)]);
      }
      CHECK(c[static_cast<std::size_t>(r * pitch + j)] == doctest::Approx(sum).epsilon(1e-5));
    }
}

template <int height>
void check_height() {
  std::vector<std::int64_t> begins(depth);
  for (std::int64_t k = 0; k < depth; ++k)
    begins[static_cast<std::size_t>(k)] = (k * 5 % depth) * pitch;
  constexpr std::int64_t n = lanes<float>;
  for (int columns = 1; columns <= tile_columns<float>; ++columns)
    for (bool const add : {false, true}) {
      check_tile<height>(PackedRows{pitch}, columns, add);
      check_tile<height>(ListedRows{begins.data()}, columns, add);
      check_tile<height>(ListedRegisters{begins.data(), {5 * n + 1, 0, 2 * n + 3}}, columns, add);
    }
}

}  // namespace

TEST_CASE("register tiles of all heights: products of columns side by side and of listed ones") {
  check_height<1>();
  check_height<2>();
  check_height<3>();
  check_height<4>();
  if constexpr (tile_rows >= 8) {
    check_height<6>();
    check_height<8>();
  }
}

TEST_CASE("heights of register tiles: no row is computed in vain where units are busy anyway") {
  for (int rows = 1; rows <= 3; ++rows) CHECK(tile_height_for(rows) == rows);
  CHECK(tile_height_for(6) == (tile_rows >= 8 ? 6 : 3));
  CHECK(tile_height_for(9) == 3);
  CHECK(tile_height_for(64) == tile_rows);
}
