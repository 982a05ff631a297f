// Collapses axes, and classifies operands by how their elements follow each other.
#include "kernels/map/map_views.hpp"

#include <algorithm>

#include "kernels/conversion.hpp"

namespace lbann::kernels {

namespace {

/// Rows shorter than this share tiles; operands broadcast along them are gathered.
constexpr std::int64_t short_row = 128;

Access access_of(CodeOperand const& operand, MapCode const& code) {
  bool linear = true, scalar = code.axes > 0;
  std::int64_t stride = 1;
  for (std::size_t i = code.axes; i-- > 0;) {
    linear = linear && operand.strides[i] == stride;
    scalar = scalar && operand.strides[i] == 0;
    stride *= code.extents[i];
  }
  if (linear) return Access::linear;
  if (scalar) return Access::scalar;
  if (!code.rows_apart) return Access::expanded;
  return operand.strides[code.last_axis()] == 0 ? Access::row_scalar : Access::row;
}

/// Axes from the last to the first, merged where all operands allow; false if there are too many.
bool collapse_backwards(MapRequest const& request, MapCode& code) {
  auto const& shape = request.shape;
  std::array<std::int64_t, max_operands> size{};
  size.fill(1);
  for (std::size_t i = shape.size(); i-- > 0;) {
    if (shape[i] == 1) continue;
    std::array<std::int64_t, max_operands> stride{};
    bool merges = code.axes > 0;
    for (std::size_t k = 0; k < request.operands.size(); ++k) {
      auto const& view = request.operands[k];
      auto const from_end = shape.size() - i;
      auto const extent = view.rank >= from_end ? view.extents[view.rank - from_end] : 1;
      stride[k] = extent == 1 ? 0 : size[k];
      size[k] *= extent;
      if (code.axes > 0)
        merges = merges && stride[k] == code.operands[k].strides[code.axes - 1u] *
                                            code.extents[code.axes - 1u];
    }
    if (merges) {
      code.extents[code.axes - 1u] *= shape[i];
      continue;
    }
    if (code.axes == max_axes) return false;
    code.extents[code.axes] = shape[i];
    for (std::size_t k = 0; k < request.operands.size(); ++k)
      code.operands[k].strides[code.axes] = stride[k];
    ++code.axes;
  }
  return true;
}

}  // namespace

bool bind_views(MapRequest const& request, MapCode& code) {
  code.elements = 1;
  for (auto extent : request.shape) code.elements *= extent;
  for (std::size_t k = 0; k < request.operands.size(); ++k) {
    code.operands[k].data = request.operands[k].data;
    code.operands[k].type = request.operands[k].type;
  }
  for (std::size_t o = 0; o < request.outputs.size(); ++o)
    code.outputs[o] = {request.outputs[o].data, request.outputs[o].type};
  if (!collapse_backwards(request, code)) return false;
  std::reverse(code.extents.begin(), code.extents.begin() + code.axes);
  for (auto& operand : code.operands)
    std::reverse(operand.strides.begin(), operand.strides.begin() + code.axes);
  code.rows_apart = code.row_length() >= short_row;
  for (std::size_t k = 0; k < request.operands.size(); ++k) {
    auto& operand = code.operands[k];
    operand.access = access_of(operand, code);
    code.row_scalars = code.row_scalars || operand.access == Access::row_scalar;
  }
  return true;
}

float moving_cost(MapRequest const& request, MapCode const& code) {
  double bytes = 0;
  for (std::size_t k = 0; k < request.operands.size(); ++k)
    if (!is_scalar(code.operands[k])) bytes += static_cast<double>(bytes_of(code.operands[k].type));
  for (std::size_t o = 0; o < request.outputs.size(); ++o)
    bytes += static_cast<double>(bytes_of(code.outputs[o].type));
  return static_cast<float>(bytes * 0.06);
}

float estimated_cost(MapRequest const& request, MapCode const& code) {
  double functions = 0;
  for (auto const& node : request.expression.nodes) {
    if (node.kind != Node::Kind::function) continue;
    switch (node.function) {
      case Function::exp:
      case Function::log:
      case Function::tanh:
      case Function::sigmoid:
      case Function::expm1:
      case Function::log1p:
      case Function::erf:
      case Function::softplus:
        functions += 0.8;
        break;
      case Function::pow:
        functions += 5;
        break;
      // The C library's, one element after the other.
      case Function::mod:
      case Function::sin:
      case Function::cos:
      case Function::tan:
      case Function::acos:
      case Function::asin:
      case Function::atan:
      case Function::cosh:
      case Function::sinh:
      case Function::acosh:
      case Function::asinh:
      case Function::atanh:
        functions += 10;
        break;
      case Function::erfinv:
        functions += 200;
        break;
      default:
        functions += 0.08;
    }
  }
  if (code.compute == DataType::f64) functions *= 2;
  return std::max(moving_cost(request, code), static_cast<float>(functions));
}

}  // namespace lbann::kernels
