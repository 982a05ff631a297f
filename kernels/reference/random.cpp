// Reference kernel of random: one number after the other.
#include <cmath>

#include "kernels/normal.hpp"
#include "kernels/reference/loop.hpp"
#include "kernels/rows.hpp"
#include "kernels/selection/list.hpp"
#include "schemas/vocabulary/philox.hpp"

namespace lbann::kernels::reference {

namespace {

/// Computed in T.
template <class T>
T normal(operators::random const& op, std::uint32_t word) {
  return static_cast<T>(op.first) + static_cast<T>(op.second) * normal_number<T>(word);
}

void run(Arguments<operators::random> const& call) {
  auto const& y = call.outputs[0];
  auto const& op = call.op;
  auto const element = [&](std::size_t input) { return *call.inputs[input].as<std::int64_t>(); };
  auto const key = random_key(element(0), op.key);
  // A tensor without mini-batch is drawn as one sample.
  auto const rows = op.shape.has_batch() ? rows_of(y) : Rows{1, y.elements()};
  auto const below = y.type == DataType::f64 ? std::nextafter(op.second, op.first)
                                             : std::nextafter(static_cast<float>(op.second),
                                                              static_cast<float>(op.first));
  for (std::int64_t row = 0; row < rows.rows; ++row)
    for (std::int64_t i = 0; i < rows.columns; ++i) {
      auto const words = philox(random_counter(element(1), element(2) + row, i / 4), key);
      auto const word = words[static_cast<std::size_t>(i % 4)];
      double value = 0;
      switch (op.distribution) {
        case operators::Distribution::uniform:
          value = y.type == DataType::f64 ? unit_double(word) : unit_float(word);
          value = rounded(op.first + (op.second - op.first) * value, y.type);
          if (op.first < op.second && value >= op.second) value = below;
          break;
        case operators::Distribution::normal:
          value = y.type == DataType::f64 ? normal<double>(op, word) : normal<float>(op, word);
          break;
        case operators::Distribution::bernoulli:
          value = word < op.first * 0x1p32 ? op.second : 0;
          break;
      }
      set(y, row * rows.columns + i, value);
    }
}

}  // namespace

Implementation random_kernel() { return loop<operators::random, run>(); }

}  // namespace lbann::kernels::reference
