// Reference kernel of rank: counts the entries that come before. An index outside the sample comes
// after all.
#pragma once

#include "kernels/reference/loop.hpp"

namespace lbann::kernels::reference {

template <class Number>
void run(Arguments<Number, operators::rank>& call) {
  auto const &x = call.inputs[0], &index = call.inputs[1];
  auto const [rows, columns] = rows_of(x);
  for (std::int64_t row = 0; row < rows; ++row) {
    auto const place = static_cast<std::int64_t>(get(index, row));
    std::int64_t before = 0;
    bool const inside = place >= 0 && place < columns;
    auto const mine = inside ? get<Number>(x, row * columns + place) : Number(0);
    for (std::int64_t i = 0; i < columns; ++i) {
      auto const value = get<Number>(x, row * columns + i);
      bool const comes_first = i < place ? value >= mine : value > mine;
      if (comes_first || !inside) ++before;
    }
    set(call.outputs[0], row, before);
  }
}

template <class Number>
Implementation rank_kernel() {
  return loop<Number, operators::rank, run>();
}

}  // namespace lbann::kernels::reference
