// Rows of scores, of which a label each names the class.
#pragma once

#include "kernels/element_types.hpp"
#include "kernels/shapes/indexed.hpp"
#include "kernels/shapes/rows.hpp"

namespace lbann::kernels {

/// Whether scores and all but the labels, input 1, have one type, f32 or f64, and labels that of an
/// index.
inline bool takes_labelled_rows(Call const& call) {
  auto const type = call.inputs[0].type;
  auto const same = [&](View const& view) { return view.type == type; };
  bool fits = (type == DataType::f32 || type == DataType::f64) &&
              is_index_type(call.inputs[1].type) && same(call.outputs[0]);
  for (std::size_t i = 2; i < call.inputs.size(); ++i) fits = fits && same(call.inputs[i]);
  return fits;
}

/// The rows of scores `x` along `axis`.
inline StridedRows class_rows(View const& x, std::int64_t axis) {
  return strided_rows(x, axis, x.rank - axis - 1);
}

/// The class in [0, count) that the loss of a row has a gradient for: the one that `named` names,
/// or -1 where it names none or its probability was clamped.
template <class T, class Index>
LBANN_FUNCTION std::int64_t trained_class(Index named, std::int64_t count, T loss, T largest_loss) {
  auto const label = place_of(named, count);
  return loss >= largest_loss ? -1 : label;
}

}  // namespace lbann::kernels
