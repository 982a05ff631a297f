// Elements of views one at a time, in double.
#include "kernels/reference/element.hpp"

#include <algorithm>

#include "kernels/conversion.hpp"

namespace lbann::kernels::reference {

double load(View const& view, std::int64_t index) {
  return with_stored_type(
      view.type, [&](auto type) { return convert<double>(view.as<decltype(type)>()[index]); });
}

void store(View const& view, std::int64_t index, double value) {
  with_stored_type(view.type, [&](auto type) {
    view.as<decltype(type)>()[index] = convert<decltype(type)>(value);
  });
}

double rounded(double value, DataType type) {
  return with_stored_type(type,
                          [&](auto t) { return convert<double>(convert<decltype(t)>(value)); });
}

std::int64_t broadcast_index(View const& operand, std::span<std::int64_t const> shape,
                             std::int64_t index) {
  std::int64_t result = 0, stride = 1;
  std::size_t axis = operand.rank;
  for (std::size_t i = shape.size(); i-- > 0 && axis-- > 0;) {
    auto const position = index % shape[i];
    index /= shape[i];
    if (operand.extents[axis] != 1) result += position * stride;
    stride *= operand.extents[axis];
  }
  return result;
}

std::int64_t kept_index(std::span<std::int64_t const> shape, std::span<std::int64_t const> axes,
                        std::int64_t index) {
  std::int64_t result = 0, stride = 1;
  for (std::size_t axis = shape.size(); axis-- > 0;) {
    auto const position = index % shape[axis];
    index /= shape[axis];
    if (std::ranges::count(axes, static_cast<std::int64_t>(axis)) > 0) continue;
    result += position * stride;
    stride *= shape[axis];
  }
  return result;
}

}  // namespace lbann::kernels::reference
