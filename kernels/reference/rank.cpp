// Reference kernel of rank: counts the entries that come before. An index outside the sample comes
// after all.
#include "kernels/reference/loop.hpp"
#include "kernels/rows.hpp"
#include "kernels/selection/list.hpp"

namespace lbann::kernels::reference {

namespace {

void run(Arguments<operators::rank> const& call) {
  auto const &x = call.inputs[0], &index = call.inputs[1];
  auto const [rows, columns] = rows_of(x);
  for (std::int64_t row = 0; row < rows; ++row) {
    auto const place = static_cast<std::int64_t>(get(index, row));
    std::int64_t before = 0;
    bool const inside = place >= 0 && place < columns;
    auto const mine = inside ? get(x, row * columns + place) : 0;
    for (std::int64_t i = 0; i < columns; ++i) {
      auto const value = get(x, row * columns + i);
      if (!inside || value > mine || (value == mine && i < place)) ++before;
    }
    set(call.outputs[0], row, static_cast<double>(before));
  }
}

}  // namespace

Implementation rank_kernel() { return loop<operators::rank, run>(); }

}  // namespace lbann::kernels::reference
