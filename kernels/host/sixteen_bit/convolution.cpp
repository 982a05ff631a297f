// Convolutions as products: the columns are positions of all samples, or, of the gradient with
// respect to the kernel, channels and taps.
#include "kernels/host/sixteen_bit/convolution.hpp"

#include <cstring>
#include <optional>

#include "kernels/element_types.hpp"
#include "kernels/host/sixteen_bit/product.hpp"
#include "kernels/host/sixteen_bit/window_factor.hpp"
#include "kernels/map/epilogue.hpp"
#include "kernels/tasks.hpp"

namespace lbann::kernels::host::sixteen_bit {

namespace {

/// Rows are channels from `first` on, of `channels`; columns are entries of all samples.
class ImagesTarget final : public Target {
 public:
  ImagesTarget(float* result, std::int64_t first, std::int64_t channels, std::int64_t entries,
               MapEngine const* epilogue)
      : result_(result),
        first_(first),
        channels_(channels),
        entries_(entries),
        epilogue_(epilogue) {}

  void put(std::int64_t row, std::int64_t rows, std::int64_t column, std::int64_t columns,
           float const* product, std::int64_t leading) const override {
    for (std::int64_t done = 0; done < columns;) {
      auto const sample = (column + done) / entries_, entry = (column + done) % entries_;
      auto const some = std::min(entries_ - entry, columns - done);
      for (std::int64_t i = 0; i < rows; ++i) {
        auto const at = (sample * channels_ + first_ + row + i) * entries_ + entry;
        auto const* const from = product + i * leading + done;
        if (epilogue_ != nullptr)
          epilogue_->run(at, at + some, from);
        else
          std::memcpy(result_ + at, from, static_cast<std::size_t>(some) * sizeof(float));
      }
      done += some;
    }
  }

 private:
  float* result_;
  std::int64_t first_, channels_, entries_;
  MapEngine const* epilogue_;
};

/// The products of a convolution or gradient, one for each group.
struct Extents {
  std::int64_t rows, inner, columns;

  std::int64_t bytes(std::int64_t groups) const {
    return sixteen_bit_convolution_bytes(groups, rows, inner, columns, ThreadTeam::size());
  }
};

Extents forward_extents(WindowGeometry const& g) {
  return {g.group_filters(), g.depth() * g.taps(), g.samples * g.positions()};
}
Extents input_gradient_extents(WindowGeometry const& g) {
  return {g.depth(), g.group_filters() * g.taps(), g.samples * g.entries()};
}
Extents kernel_gradient_extents(WindowGeometry const& g) {
  return {g.group_filters(), g.samples * g.positions(), g.depth() * g.taps()};
}

/// Calls f(group, run) for each group; run(left, right...) computes its product: on all threads if
/// there is one group only, else groups are shared out.
class Groups {
 public:
  Groups(WindowGeometry const& g, Extents const& e, std::byte* scratch)
      : count_(g.groups),
        tiling_(e.rows, e.inner, e.columns, g.groups == 1 ? ThreadTeam::size() : 1),
        scratch_(scratch) {}

  /// `f(group, multiply)` makes factors and target and calls
  /// multiply(left, left_rows_are_lines, right, right_rows_are_lines, target).
  template <class F>
  void for_each(F const& f) const {
    if (count_ == 1)
      return f(std::int64_t{0}, [&](auto const&... parts) { product(parts...).run(scratch_); });
    for_each_task(count_, [&](std::int64_t group, std::int64_t worker) {
      auto* const own = scratch_ + worker * tiling_.bytes(1);
      f(group, [&](auto const&... parts) { product(parts...).run_alone(own); });
    });
  }

 private:
  Product product(Factor const& left, bool left_rows_are_lines, Factor const& right,
                  bool right_rows_are_lines, Target const& target) const {
    return {tiling_, left, left_rows_are_lines, right, right_rows_are_lines, target};
  }

  std::int64_t count_;
  SixteenBitTiling tiling_;
  std::byte* scratch_;
};

std::uint16_t const* bits(View const& view) { return view.as<std::uint16_t const>(); }

/// What windows see of `images` ([samples, channels, ...]) from channel `first` on.
template <class F>
void with_windows(WindowGeometry const& g, bool gradient, std::uint16_t const* images,
                  std::int64_t first, F const& f) {
  auto const channels = gradient ? g.filters : g.channels;
  auto const entries = gradient ? g.positions() : g.entries();
  auto const* const group = images + first * entries;
  if (WindowFactor::is_identity(g))
    f(ImagesFactor(group, channels, entries));
  else
    f(WindowFactor(g, gradient, group, channels));
}

class Convolution final : public Kernel {
 public:
  Convolution(Call const& call, WindowGeometry const& geometry)
      : g_(geometry),
        groups_(g_, forward_extents(g_), call.scratch.data()),
        x_(bits(call.inputs[0])),
        kernel_(bits(call.inputs[1])),
        result_(call.outputs[0].as<float>()) {
    auto const& epilogue = operator_of<operators::convolution>(call).epilogue;
    if (!epilogue.empty())
      epilogue_ = bind_epilogue<MapEngine>(epilogue, call, DataType::f32, nullptr);
  }

  void run() override {
    auto const length = g_.depth() * g_.taps(), filters = g_.group_filters();
    groups_.for_each([&](std::int64_t group, auto const& multiply) {
      ImagesTarget const target(result_, group * filters, g_.filters, g_.positions(),
                                epilogue_ ? &*epilogue_ : nullptr);
      MatrixFactor const left(kernel_ + group * filters * length, length);
      with_windows(g_, false, x_, group * g_.depth(),
                   [&](Factor const& right) { multiply(left, true, right, false, target); });
    });
  }

 private:
  WindowGeometry g_;
  Groups groups_;
  std::uint16_t const *x_, *kernel_;
  float* result_;
  std::optional<MapEngine> epilogue_;
};

class InputGradient final : public Kernel {
 public:
  InputGradient(Call const& call, WindowGeometry const& geometry)
      : g_(geometry),
        groups_(g_, input_gradient_extents(g_), call.scratch.data()),
        dy_(bits(call.inputs[0])),
        kernel_(bits(call.inputs[1])),
        dx_(call.outputs[0].as<float>()) {}

  void run() override {
    auto const depth = g_.depth(), filters = g_.group_filters(), taps = g_.taps();
    groups_.for_each([&](std::int64_t group, auto const& multiply) {
      ImagesTarget const target(dx_, group * depth, g_.channels, g_.entries(), nullptr);
      auto const* const kernel = kernel_ + group * filters * depth * taps;
      with_windows(g_, true, dy_, group * filters, [&](Factor const& right) {
        if (taps == 1)
          multiply(MatrixFactor(kernel, depth), false, right, false, target);
        else
          multiply(TransposedKernelFactor(kernel, depth, taps), true, right, false, target);
      });
    });
  }

 private:
  WindowGeometry g_;
  Groups groups_;
  std::uint16_t const *dy_, *kernel_;
  float* dx_;
};

class KernelGradient final : public Kernel {
 public:
  KernelGradient(Call const& call, WindowGeometry const& geometry)
      : g_(geometry),
        groups_(g_, kernel_gradient_extents(g_), call.scratch.data()),
        x_(bits(call.inputs[0])),
        dy_(bits(call.inputs[1])),
        dkernel_(call.outputs[0].as<float>()) {}

  void run() override {
    auto const length = g_.depth() * g_.taps(), filters = g_.group_filters();
    groups_.for_each([&](std::int64_t group, auto const& multiply) {
      MatrixTarget const target(dkernel_ + group * filters * length, length, nullptr);
      ImagesFactor const left(dy_ + group * filters * g_.positions(), g_.filters, g_.positions());
      with_windows(g_, false, x_, group * g_.depth(),
                   [&](Factor const& right) { multiply(left, true, right, true, target); });
    });
  }

 private:
  WindowGeometry g_;
  Groups groups_;
  std::uint16_t const *x_, *dy_;
  float* dkernel_;
};

bool takes(Call const& call, WindowGeometry const& g, Extents const& extents) {
  return call.inputs[0].type == DataType::bf16 && call.inputs[1].type == DataType::bf16 &&
         static_cast<std::int64_t>(call.scratch.size()) >= extents.bytes(g.groups);
}

WindowGeometry forward_geometry(Call const& call) {
  return geometry_of(operator_of<operators::convolution>(call), call.inputs[0], call.outputs[0],
                     call.inputs[1]);
}
WindowGeometry input_gradient_geometry(Call const& call) {
  return geometry_of(operator_of<operators::convolution_input_gradient>(call), call.outputs[0],
                     call.inputs[0], call.inputs[1]);
}
WindowGeometry kernel_gradient_geometry(Call const& call) {
  return geometry_of(operator_of<operators::convolution_kernel_gradient>(call), call.inputs[0],
                     call.inputs[1], call.outputs[0]);
}

}  // namespace

bool takes_convolution(Call const& call) {
  auto const g = forward_geometry(call);
  return takes(call, g, forward_extents(g)) &&
         stores_product<MapEngine>(operator_of<operators::convolution>(call).epilogue, call);
}

bool takes_input_gradient(Call const& call) {
  auto const g = input_gradient_geometry(call);
  return takes(call, g, input_gradient_extents(g)) && call.outputs[0].type == DataType::f32;
}

bool takes_kernel_gradient(Call const& call) {
  auto const g = kernel_gradient_geometry(call);
  return takes(call, g, kernel_gradient_extents(g)) && call.outputs[0].type == DataType::f32;
}

std::unique_ptr<Kernel> make_convolution(Call const& call) {
  return std::make_unique<Convolution>(call, forward_geometry(call));
}
std::unique_ptr<Kernel> make_input_gradient(Call const& call) {
  return std::make_unique<InputGradient>(call, input_gradient_geometry(call));
}
std::unique_ptr<Kernel> make_kernel_gradient(Call const& call) {
  return std::make_unique<KernelGradient>(call, kernel_gradient_geometry(call));
}

}  // namespace lbann::kernels::host::sixteen_bit
