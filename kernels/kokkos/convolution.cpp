// Portable kernel of convolution: an element of the output for each index.
#include "kernels/kokkos/whole_product.hpp"
#include "kernels/selection/list.hpp"
#include "kernels/shapes/window_geometry.hpp"

namespace lbann::kernels::kokkos {

namespace {

/// y[index]: the taps of a channel in T, their sums in double.
template <class T>
struct ConvolutionElements {
  WindowGeometry g;
  T const *x, *kernel;
  ComputeType<T>* y;

  KOKKOS_FUNCTION void operator()(std::int64_t index) const {
    auto const &az = g.axes[0], &ay = g.axes[1], &ax = g.axes[2];
    auto const px = index % ax.to, py = index / ax.to % ay.to, pz = index / (ax.to * ay.to) % az.to;
    auto const row = index / g.positions(), o = row % g.filters, n = row / g.filters;
    auto const depth = g.depth(), group = o / g.group_filters();
    double total = 0;
    for (std::int64_t d = 0; d < depth; ++d) {
      ComputeType<T> sum = 0;
      T const* const channel = x + (n * g.channels + group * depth + d) * g.entries();
      T const* weight = kernel + (o * depth + d) * g.taps();
      for (std::int64_t tz = 0; tz < az.taps; ++tz)
        for (std::int64_t ty = 0; ty < ay.taps; ++ty)
          for (std::int64_t tx = 0; tx < ax.taps; ++tx, ++weight) {
            auto const z = pz * az.stride + tz * az.dilation - az.padding;
            auto const y0 = py * ay.stride + ty * ay.dilation - ay.padding;
            auto const x0 = px * ax.stride + tx * ax.dilation - ax.padding;
            if (z < 0 || z >= az.from || y0 < 0 || y0 >= ay.from || x0 < 0 || x0 >= ax.from)
              continue;
            sum += convert<ComputeType<T>>(channel[(z * ay.from + y0) * ax.from + x0]) *
                   convert<ComputeType<T>>(*weight);
          }
      total += static_cast<double>(sum);
    }
    y[index] = static_cast<ComputeType<T>>(total);
  }
};

template <class T>
class Convolution : public Kernel {
 public:
  explicit Convolution(Call const& call)
      : geometry_(geometry_of(operator_of<operators::convolution>(call), call.inputs[0],
                              call.outputs[0], call.inputs[1])),
        product_(operator_of<operators::convolution>(call).epilogue, call),
        x_(call.inputs[0].as<T>()),
        kernel_(call.inputs[1].as<T>()) {}

  void run() override {
    auto const& g = geometry_;
    auto const elements = g.samples * g.filters * g.positions();
    product_.run(elements, static_cast<double>(elements * g.depth() * g.taps()),
                 ConvolutionElements<T>{g, x_, kernel_, product_.data()});
  }

 private:
  WindowGeometry geometry_;
  WholeProduct<T> product_;
  T const *x_, *kernel_;
};

}  // namespace

Implementation convolution_kernel() {
  return {"kokkos",
          [](Call const& call) {
            auto const& epilogue = operator_of<operators::convolution>(call).epilogue;
            return with_factor_type(call.inputs[0].type, [&](auto zero) {
              return WholeProduct<decltype(zero)>::fits(epilogue, call);
            });
          },
          [](Call const& call) {
            return with_factor_type(call.inputs[0].type, [&](auto zero) -> std::unique_ptr<Kernel> {
              return std::make_unique<Convolution<decltype(zero)>>(call);
            });
          }};
}

}  // namespace lbann::kernels::kokkos
