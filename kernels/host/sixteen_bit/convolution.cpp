// Convolutions as products: the columns are positions of all samples, or, of the gradient with
// respect to the kernel, channels and taps. Input gradients of strided windows are a product for
// each remainder modulo the stride.
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

/// Rows are channels from `first` on, of `channels`; columns are positions of a pass in all
/// samples.
class PassTarget final : public Target {
 public:
  PassTarget(CorrelationPass const& pass, WindowGeometry const& g, bool gradient, float* result,
             std::int64_t first, MapEngine const* epilogue)
      : pass_(pass),
        result_(result),
        first_(first),
        channels_(gradient ? g.channels : g.filters),
        entries_(gradient ? g.entries() : g.positions()),
        positions_(pass.positions()),
        epilogue_(epilogue) {
    for (int i = 0; i < 3; ++i) extents_[i] = gradient ? g.axes[i].from : g.axes[i].to;
  }

  void put(std::int64_t row, std::int64_t rows, std::int64_t column, std::int64_t columns,
           float const* product, std::int64_t leading) const override {
    for (std::int64_t done = 0; done < columns;) {
      auto const sample = (column + done) / positions_, position = (column + done) % positions_;
      auto const some = std::min(positions_ - position, columns - done);
      for (std::int64_t i = 0; i < rows; ++i) {
        auto const channel = (sample * channels_ + first_ + row + i) * entries_;
        auto const* const from = product + i * leading + done;
        if (positions_ != entries_)
          spread(pass_, extents_, from, position, some, result_ + channel);
        else if (epilogue_ != nullptr)
          epilogue_->run(channel + position, channel + position + some, from);
        else
          std::memcpy(result_ + channel + position, from,
                      static_cast<std::size_t>(some) * sizeof(float));
      }
      done += some;
    }
  }

 private:
  CorrelationPass const& pass_;
  float* result_;
  std::int64_t first_, channels_, entries_, positions_, extents_[3];
  MapEngine const* epilogue_;
};

/// A product, one for each group, on all threads if there is one group only; otherwise groups are
/// shared out.
struct GroupedProduct {
  std::int64_t groups;
  SixteenBitTiling tiling;

  GroupedProduct(std::int64_t count, std::int64_t rows, std::int64_t inner, std::int64_t columns)
      : groups(count),
        tiling(count == 1 ? SixteenBitTiling(rows, inner, columns, ThreadTeam::size())
                          : SixteenBitTiling::alone(rows, inner, columns)) {}

  std::int64_t bytes() const {
    return sixteen_bit_convolution_bytes(groups, tiling.rows, tiling.inner, tiling.columns,
                                         ThreadTeam::size());
  }

  /// `f(group, multiply)` makes factors and target and calls multiply(left, right, target).
  template <class F>
  void for_each(std::byte* scratch, F const& f) const {
    if (groups == 1)
      return f(std::int64_t{0}, [&](Factor const& left, Factor const& right, Target const& target) {
        Product{tiling, left, right, target}.run(scratch);
      });
    for_each_task(groups, [&](std::int64_t group, std::int64_t worker) {
      auto* const own = scratch + worker * tiling.bytes(1);
      f(group, [&](Factor const& left, Factor const& right, Target const& target) {
        Product{tiling, left, right, target}.run_alone(own);
      });
    });
  }
};

/// Whether the windows see images as they are.
bool sees_as_it_is(CorrelationPass const& pass) {
  return std::ranges::all_of(pass.axes, [](SourceAxis const& axis) {
    return axis.from == axis.to && axis.stride == 1 && axis.shifts == std::vector<std::int64_t>{0};
  });
}

std::uint16_t const* bits(View const& view) { return view.as<std::uint16_t const>(); }

/// A convolution, or with `gradient` its input gradient: a product for each pass.
class PassProducts {
 public:
  PassProducts(WindowGeometry const& g, bool gradient)
      : g_(g), gradient_(gradient), passes_(correlation_passes(g, gradient)) {
    for (auto const& pass : passes_)
      products_.emplace_back(
          g.groups, rows(), sixteen_bit_inner(depth(), static_cast<std::int64_t>(pass.taps.size())),
          g.samples * pass.positions());
  }

  std::int64_t bytes() const {
    std::int64_t most = 0;
    for (std::size_t i = 0; i < passes_.size(); ++i)
      if (!passes_[i].taps.empty()) most = std::max(most, products_[i].bytes());
    return most;
  }

  void run(std::uint16_t const* source, std::uint16_t const* kernel, float* result,
           MapEngine const* epilogue, std::byte* scratch) const {
    for (std::size_t i = 0; i < passes_.size(); ++i)
      if (passes_[i].taps.empty()) {
        std::fill_n(result, g_.samples * g_.channels * g_.entries(), 0.0f);
        break;
      }
    for (std::size_t i = 0; i < passes_.size(); ++i)
      if (!passes_[i].taps.empty())
        run_pass(passes_[i], products_[i], source, kernel, result, epilogue, scratch);
  }

 private:
  std::int64_t rows() const { return gradient_ ? g_.depth() : g_.group_filters(); }
  std::int64_t depth() const { return gradient_ ? g_.group_filters() : g_.depth(); }

  void run_pass(CorrelationPass const& pass, GroupedProduct const& product,
                std::uint16_t const* source, std::uint16_t const* kernel, float* result,
                MapEngine const* epilogue, std::byte* scratch) const {
    auto const entries = gradient_ ? g_.positions() : g_.entries();
    auto const channels = gradient_ ? g_.filters : g_.channels;
    product.for_each(scratch, [&](std::int64_t group, auto const& multiply) {
      PassTarget const target(pass, g_, gradient_, result, group * rows(), epilogue);
      auto const* const seen = source + group * depth() * entries;
      auto const* const own = kernel + group * rows() * depth() * g_.taps();
      // An odd channel has no pair, which `WindowPairs` knows.
      if (sees_as_it_is(pass) && g_.taps() == 1 && depth() % 2 == 0)
        return multiply(MatrixFactor(!gradient_, own, gradient_ ? rows() : depth()),
                        ImagesFactor(false, seen, channels, entries), target);
      multiply(KernelFactor(own, gradient_, rows(), depth(), g_.taps(), pass),
               WindowPairs({pass, seen, depth(), channels * entries}), target);
    });
  }

  WindowGeometry g_;
  bool gradient_;
  std::vector<CorrelationPass> passes_;
  std::vector<GroupedProduct> products_;
};

class Convolution final : public Kernel {
 public:
  Convolution(Call const& call, WindowGeometry const& geometry)
      : products_(geometry, false),
        x_(bits(call.inputs[0])),
        kernel_(bits(call.inputs[1])),
        result_(call.outputs[0].as<float>()),
        scratch_(call.scratch.data()) {
    auto const& epilogue = operator_of<operators::convolution>(call).epilogue;
    if (!epilogue.empty())
      epilogue_ = bind_epilogue<MapEngine>(epilogue, call, DataType::f32, nullptr);
  }

  void run() override {
    products_.run(x_, kernel_, result_, epilogue_ ? &*epilogue_ : nullptr, scratch_);
  }

 private:
  PassProducts products_;
  std::uint16_t const *x_, *kernel_;
  float* result_;
  std::byte* scratch_;
  std::optional<MapEngine> epilogue_;
};

class InputGradient final : public Kernel {
 public:
  InputGradient(Call const& call, WindowGeometry const& geometry)
      : products_(geometry, true),
        dy_(bits(call.inputs[0])),
        kernel_(bits(call.inputs[1])),
        dx_(call.outputs[0].as<float>()),
        scratch_(call.scratch.data()) {}

  void run() override { products_.run(dy_, kernel_, dx_, nullptr, scratch_); }

 private:
  PassProducts products_;
  std::uint16_t const *dy_, *kernel_;
  float* dx_;
  std::byte* scratch_;
};

/// Of the gradient with respect to the kernel the columns are channels and taps.
GroupedProduct kernel_gradient_product(WindowGeometry const& g) {
  return {g.groups, g.group_filters(), g.samples * g.positions(), g.depth() * g.taps()};
}

class KernelGradient final : public Kernel {
 public:
  KernelGradient(Call const& call, WindowGeometry const& geometry)
      : g_(geometry),
        pass_(correlation_passes(geometry, false).front()),
        product_(kernel_gradient_product(geometry)),
        x_(bits(call.inputs[0])),
        dy_(bits(call.inputs[1])),
        dkernel_(call.outputs[0].as<float>()),
        scratch_(call.scratch.data()) {}

  void run() override {
    auto const length = g_.depth() * g_.taps(), filters = g_.group_filters();
    product_.for_each(scratch_, [&](std::int64_t group, auto const& multiply) {
      MatrixTarget const target(dkernel_ + group * filters * length, length, nullptr);
      ImagesFactor const left(true, dy_ + group * filters * g_.positions(), g_.filters,
                              g_.positions());
      auto const* const seen = x_ + group * g_.depth() * g_.entries();
      if (sees_as_it_is(pass_))
        return multiply(left, ImagesFactor(true, seen, g_.channels, g_.entries()), target);
      multiply(left, WindowLines({pass_, seen, g_.depth(), g_.channels * g_.entries()}), target);
    });
  }

 private:
  WindowGeometry g_;
  CorrelationPass pass_;
  GroupedProduct product_;
  std::uint16_t const *x_, *dy_;
  float* dkernel_;
  std::byte* scratch_;
};

bool takes(Call const& call, std::int64_t bytes) {
  return call.inputs[0].type == DataType::bf16 && call.inputs[1].type == DataType::bf16 &&
         static_cast<std::int64_t>(call.scratch.size()) >= bytes;
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
  return takes(call, PassProducts(forward_geometry(call), false).bytes()) &&
         stores_product<MapEngine>(operator_of<operators::convolution>(call).epilogue, call);
}

bool takes_input_gradient(Call const& call) {
  return takes(call, PassProducts(input_gradient_geometry(call), true).bytes()) &&
         call.outputs[0].type == DataType::f32;
}

bool takes_kernel_gradient(Call const& call) {
  return takes(call, kernel_gradient_product(kernel_gradient_geometry(call)).bytes()) &&
         call.outputs[0].type == DataType::f32;
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
