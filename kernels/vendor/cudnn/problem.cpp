// Products of convolutions by their instructions.
#include "kernels/vendor/cudnn/problem.hpp"

#include <limits>

#include "kernels/device/device.hpp"

namespace lbann::kernels::cudnn {

namespace {

std::int64_t alignment_of(Call const& call) {
  auto bits = reinterpret_cast<std::uintptr_t>(call.outputs[0].data) | 16U;
  for (auto const& factor : call.inputs.first(2))
    bits |= reinterpret_cast<std::uintptr_t>(factor.data);
  return static_cast<std::int64_t>(bits & -bits);
}

Problem problem(Tensor result, WindowGeometry const& geometry, Call const& call) {
  auto const type = call.inputs[0].type;
  return {result, geometry, type, device::tf32_is_allowed() || is_sixteen_bit(type),
          alignment_of(call)};
}

}  // namespace

Problem problem_of(Call const& call) {
  auto const &a = call.inputs[0], &b = call.inputs[1], &result = call.outputs[0];
  if (auto const* op = std::get_if<operators::convolution_input_gradient>(call.op))
    return problem(Tensor::x, geometry_of(*op, result, a, b), call);
  if (auto const* op = std::get_if<operators::convolution_kernel_gradient>(call.op))
    return problem(Tensor::kernel, geometry_of(*op, a, b, result), call);
  auto const& op = operator_of<operators::convolution>(call);
  return problem(Tensor::y, geometry_of(op, a, result, b), call);
}

bool takes(WindowGeometry const& g) {
  constexpr std::int64_t most = std::numeric_limits<int>::max();
  auto const fits = [&](std::int64_t elements) { return elements > 0 && elements <= most; };
  return fits(g.samples * g.channels * g.entries()) &&
         fits(g.samples * g.filters * g.positions()) && fits(g.filters * g.depth() * g.taps());
}

}  // namespace lbann::kernels::cudnn
