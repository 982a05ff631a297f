// Reductions by lanes: a piece of one output for each index, then partial results in order, so that
// results do not depend on the number of threads.
#pragma once

#include <limits>

#include "kernels/conversion.hpp"
#include "kernels/folds/lanes.hpp"
#include "kernels/folds/piece_elements.hpp"
#include "schemas/operators/reduce_mode.hpp"

namespace lbann::kernels {

using operators::ReduceMode;

template <ReduceMode mode, class T>
LBANN_FUNCTION T combined(T a, T b) {
  if constexpr (mode == ReduceMode::sum) return a + b;
  if constexpr (mode == ReduceMode::product) return a * b;
  if constexpr (mode == ReduceMode::max) return b > a ? b : a;
  if constexpr (mode == ReduceMode::min) return b < a ? b : a;
}

/// The result over no elements, which are computed in T.
template <ReduceMode mode, class T>
LBANN_FUNCTION constexpr T start_of() {
  if constexpr (mode == ReduceMode::sum) return T(0);
  if constexpr (mode == ReduceMode::product) return T(1);
  if constexpr (mode == ReduceMode::max) return std::numeric_limits<T>::lowest();
  if constexpr (mode == ReduceMode::min) return std::numeric_limits<T>::max();
}

/// An output of any type, stored to one element at a time.
struct ReduceOutput {
  void* data;
  DataType type;

  LBANN_FUNCTION void set(std::int64_t index, double value) const {
    switch (type) {
      case DataType::f64:
        static_cast<double*>(data)[index] = value;
        return;
      case DataType::bf16:
        static_cast<BFloat16*>(data)[index] = convert<BFloat16>(value);
        return;
      case DataType::f16:
        static_cast<Float16*>(data)[index] = convert<Float16>(value);
        return;
      case DataType::i32:
        static_cast<std::int32_t*>(data)[index] = convert<std::int32_t>(value);
        return;
      case DataType::i64:
        static_cast<std::int64_t*>(data)[index] = convert<std::int64_t>(value);
        return;
      case DataType::u8:
        static_cast<std::uint8_t*>(data)[index] = convert<std::uint8_t>(value);
        return;
      default:
        static_cast<float*>(data)[index] = static_cast<float>(value);
    }
  }
};

/// Outputs of a reduction, at most.
inline constexpr int most_reduce_outputs = 8;

/// The outputs of a reduction.
struct ReduceOutputs {
  ReduceOutput outputs[most_reduce_outputs];
  int count;
};

template <int outputs>
struct Totals {
  double of[outputs];
};

/// A piece of one element of each output for each index; the lanes share out its elements, of each
/// of which `Values` has `most` numbers at most: `get(element, T* numbers)`, `at_once` of them.
template <class T, class Values, ReduceMode mode, int most>
struct ReducePieces {
  using Value = Totals<most>;
  static constexpr int folds = 1;

  Values values;
  ReduceLayout layout;
  double* partials;       ///< [piece][output][element]
  ReduceOutputs results;  ///< for a single piece

  LBANN_FUNCTION Value part(Lane const& lane, int, Value const*) const {
    Value totals;
    for (int o = 0; o < most; ++o) totals.of[o] = static_cast<double>(start_of<mode, T>());
    for_each_element<Totals<most>, Values::at_once>(
        layout, piece_of(layout, lane.index), lane,
        [&](std::int64_t at) {
          T numbers[most] = {};
          values.get(at, numbers);
          Totals<most> wide;
          for (int o = 0; o < most; ++o) wide.of[o] = static_cast<double>(numbers[o]);
          return wide;
        },
        [&](Totals<most> const& numbers) {
          for (int o = 0; o < most; ++o)
            if (o < results.count) totals.of[o] = combined<mode>(totals.of[o], numbers.of[o]);
        });
    return totals;
  }

  LBANN_FUNCTION Value combine(int, Value a, Value const& b) const {
    for (int o = 0; o < most; ++o) a.of[o] = combined<mode>(a.of[o], b.of[o]);
    return a;
  }

  LBANN_FUNCTION void finish(Lane const& lane, Value const* totals) const {
    if (lane.lane != 0) return;
    auto const piece = piece_of(layout, lane.index);
    std::int64_t const element = piece.a * layout.c + piece.c_begin;
    for (int o = 0; o < results.count; ++o)
      if (layout.partials() == 1)
        results.outputs[o].set(element, totals->of[o]);
      else
        partials[(piece.partial * results.count + o) * layout.outputs() + element] = totals->of[o];
  }
};

/// What a kernel of folds that is compiled at run time is called with.
template <class Folds>
struct FoldJob {
  std::int64_t count;
  int lanes;
  Folds folds;
};

/// Combines the partial results [partial][output][element] of one element of one output for each
/// index.
template <ReduceMode mode>
struct CombinePieces {
  double const* partials;
  std::int64_t count, elements;
  ReduceOutputs results;

  LBANN_FUNCTION void operator()(std::int64_t index) const {
    double total = partials[index];
    for (std::int64_t i = 1; i < count; ++i)
      total = combined<mode>(total, partials[i * results.count * elements + index]);
    results.outputs[index / elements].set(index % elements, total);
  }
};

}  // namespace lbann::kernels
