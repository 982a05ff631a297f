// Reference kernel of random: one number after the other.
#pragma once

#include <cmath>

#include "kernels/normal.hpp"
#include "kernels/reference/loop.hpp"
#include "kernels/shapes/sample_lines.hpp"
#include "schemas/vocabulary/philox.hpp"

namespace lbann::kernels::reference {

template <class Number>
void run(Arguments<Number, operators::random>& call) {
  auto const& y = call.outputs[0];
  auto const& op = call.op;
  bool const wide = y.type == DataType::f64;
  auto const element = [&](std::size_t input) {
    return *call.inputs[input].template as<std::int64_t>();
  };
  auto const key = random_key(element(0), op.key);
  auto const lines = sample_lines(y, call.begin, call.whole, op.shape.has_batch());
  Number const first = op.first, second = op.second, width = op.second - op.first;
  auto const below =
      wide ? std::nextafter(op.second, op.first)
           : std::nextafter(static_cast<float>(op.second), static_cast<float>(op.first));
  for (std::int64_t line = 0; line < lines.count; ++line)
    for (std::int64_t i = 0; i < lines.length; ++i) {
      auto const sample = element(2) + lines.first_sample + lines.sample(line);
      auto const entry = lines.start(line) + i;
      auto const words = philox(random_counter(element(1), sample, entry / 4), key);
      auto const word = words[static_cast<std::size_t>(entry % 4)];
      Number value = 0;
      switch (op.distribution) {
        case operators::Distribution::uniform: {
          auto const drawn = first + width * Number(wide ? unit_double(word) : unit_float(word));
          value = rounded(static_cast<double>(drawn), y.type);
          if (op.first < op.second && value >= second) value = below;
          break;
        }
        case operators::Distribution::normal: {
          // Computed in the type of the numbers: rounded after each step.
          auto const in_type = [&](Number x) {
            return Number(rounded(static_cast<double>(x), y.type));
          };
          auto const quantile = FunctionValue<Number>::of(wide ? normal_number<double>(word)
                                                               : normal_number<float>(word));
          value = in_type(in_type(first) + in_type(in_type(second) * quantile));
          break;
        }
        case operators::Distribution::bernoulli:
          value = Number(word) < Number(op.first * 0x1p32) ? second : Number(0);
          break;
      }
      set(y, line * lines.length + i, value);
    }
}

template <class Number>
Implementation random_kernel() {
  return loop<Number, operators::random, run>();
}

}  // namespace lbann::kernels::reference
