// The elements of a piece of a reduction that one lane takes.
#pragma once

#include "kernels/folds/lanes.hpp"
#include "kernels/shapes/reduce_layout.hpp"

namespace lbann::kernels {

/// Calls use(load(element)) for every `lane.lanes`th element of `piece` from number `lane.lane` on:
/// neighbouring lanes take neighbouring elements. `at_once` loads of a lane are made before any of
/// them is used, so that they wait for memory together.
template <class Loaded, int at_once, class Load, class Use>
LBANN_FUNCTION void for_each_element(ReduceLayout const& layout, ReducePiece const& piece,
                                     Lane const& lane, Load const& load, Use const& use) {
  auto const elements = piece.elements();
  if (lane.lane >= elements) return;
  auto const length = piece.d_end - piece.d_begin;
  auto const step = divide(lane.lanes, length);
  auto place = divide(lane.lane, length);
  // Rows of one z lie one after the other; where there are several, each is looked up.
  bool const regular = layout.z == 1;
  auto const row = layout.c * layout.d;
  auto at = piece.row(layout, piece.b_begin + place.quotient) + piece.d_begin + place.remainder;
  auto const advance = [&] {
    place.quotient += step.quotient;
    place.remainder += step.remainder;
    at += step.quotient * row + step.remainder;
    if (place.remainder >= length) {
      place.remainder -= length;
      place.quotient += 1;
      at += row - length;
    }
    if (!regular)
      at = piece.row(layout, piece.b_begin + place.quotient) + piece.d_begin + place.remainder;
  };
  std::int64_t i = lane.lane;
  if constexpr (at_once > 1)
    for (; i + (at_once - 1) * lane.lanes < elements; i += at_once * lane.lanes) {
      Loaded loaded[at_once];
      for (int j = 0; j < at_once; ++j) {
        loaded[j] = load(at);
        advance();
      }
      for (int j = 0; j < at_once; ++j) use(loaded[j]);
    }
  for (; i < elements; i += lane.lanes) {
    use(load(at));
    advance();
  }
}

}  // namespace lbann::kernels
