// The initializer `value_initializer`: from columns of a matrix to C order.
#include "compiler/initializers/value_initializer.hpp"

namespace lbann::compiler::initializers {

Operator value_initializer::fill(InitContext const& context) const {
  // The leading dims are the height of the matrix, the trailing ones its width.
  auto const& extents = context.shape.extents;
  std::size_t height = 1, width = 1;
  for (std::size_t i = 0; i < extents.size(); ++i)
    (i + context.width_dims < extents.size() ? height : width) *=
        static_cast<std::size_t>(extents[i].size);
  operators::constant constant;
  constant.shape = context.shape;
  constant.type = context.type;
  constant.values.resize(values.size());
  for (std::size_t row = 0; row < height; ++row)
    for (std::size_t column = 0; column < width; ++column)
      constant.values[row * width + column] = values[row + height * column];
  return constant;
}

}  // namespace lbann::compiler::initializers
