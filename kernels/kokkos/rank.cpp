// Portable kernel of rank: a sample for each index.
#include "kernels/kokkos/functor_kernel.hpp"
#include "kernels/rows.hpp"
#include "kernels/selection/list.hpp"

namespace lbann::kernels::kokkos {

namespace {

template <class T>
struct Rank {
  T const* x;
  std::int64_t const* index;
  std::int64_t* result;
  std::int64_t columns;

  KOKKOS_FUNCTION void operator()(std::int64_t row) const {
    T const* const values = x + row * columns;
    std::int64_t const place = index[row];
    if (place < 0 || place >= columns) {
      result[row] = columns;
      return;
    }
    T const mine = values[place];
    std::int64_t before = 0;
    for (std::int64_t i = 0; i < columns; ++i)
      before += (values[i] > mine) | ((values[i] == mine) & (i < place));
    result[row] = before;
  }
};

}  // namespace

Implementation rank_kernel() {
  return {"kokkos",
          [](Call const& call) {
            return is_loadable(call.inputs[0].type) && call.inputs[1].type == DataType::i64;
          },
          [](Call const& call) {
            auto const& x = call.inputs[0];
            auto const [rows, columns] = rows_of(x);
            return with_type(x.type, [&](auto zero) {
              using T = decltype(zero);
              return functor_kernel(rows, static_cast<double>(rows * columns),
                                    Rank<T>{x.as<T>(), call.inputs[1].as<std::int64_t>(),
                                            call.outputs[0].as<std::int64_t>(), columns});
            });
          }};
}

}  // namespace lbann::kernels::kokkos
