// Portable kernel of rank: a sample for each index.
#include <type_traits>

#include "kernels/element_types.hpp"
#include "kernels/kokkos/functor_kernel.hpp"
#include "kernels/selection/list.hpp"
#include "kernels/shapes/rows.hpp"

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
    // Of equal entries the first comes first.
    result[row] = count(values, place, [=](T value) { return value >= mine; }) +
                  count(values + place, columns - place, [=](T value) { return value > mine; });
  }

 private:
  /// Entries that pass `test`, counted in numbers of their own size, which fill registers with
  /// them.
  template <class Test>
  KOKKOS_FUNCTION static std::int64_t count(T const* values, std::int64_t length,
                                            Test const& test) {
    using Count = std::conditional_t<sizeof(T) == 8, std::int64_t, std::int32_t>;
    constexpr std::int64_t most = 1 << 30;
    std::int64_t total = 0;
    for (std::int64_t begin = 0; begin < length; begin += most) {
      std::int64_t const end = begin + most < length ? begin + most : length;
      Count passing = 0;
      for (std::int64_t i = begin; i < end; ++i) passing += test(values[i]) ? 1 : 0;
      total += passing;
    }
    return total;
  }
};

}  // namespace

Implementation rank_kernel() {
  return {"kokkos",
          [](Call const& call) {
            return is_arithmetic(call.inputs[0].type) && call.inputs[1].type == DataType::i64;
          },
          [](Call const& call) {
            auto const& x = call.inputs[0];
            auto const rows = rows_of(x).rows, columns = rows_of(x).columns;
            return with_type(x.type, [&](auto zero) {
              using T = decltype(zero);
              return functor_kernel(rows, static_cast<double>(rows * columns) * 0.2,
                                    Rank<T>{x.as<T>(), call.inputs[1].as<std::int64_t>(),
                                            call.outputs[0].as<std::int64_t>(), columns});
            });
          }};
}

}  // namespace lbann::kernels::kokkos
