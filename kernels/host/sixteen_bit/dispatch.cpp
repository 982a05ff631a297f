// Tiles, or kernels of f32 after a conversion.
#include "kernels/host/sixteen_bit/dispatch.hpp"

#include <algorithm>

#include "kernels/conversion.hpp"
#include "kernels/host/map/functions.hpp"
#include "kernels/host/sixteen_bit/tile_product.hpp"
#include "kernels/tasks.hpp"
#include "schemas/operators/widened_factors.hpp"

namespace lbann::kernels::host::sixteen_bit {

namespace {

/// Numbers that one task converts.
constexpr std::int64_t block = 1 << 14;

/// A call whose factors lie in f32 in the scratch memory of another one.
class WideCall {
 public:
  explicit WideCall(Call const& call)
      : call_(call), inputs_(call.inputs.begin(), call.inputs.end()) {
    std::int64_t at = 0;
    for (std::size_t i = 0; i < 2; ++i) {
      inputs_[i].type = DataType::f32;
      inputs_[i].data = call.scratch.data() + at;
      at += widened_bytes(inputs_[i].elements());
    }
    fits_ = at <= static_cast<std::int64_t>(call.scratch.size());
    if (!fits_) return;
    call_.inputs = inputs_;
    call_.scratch = call.scratch.subspan(static_cast<std::size_t>(at));
  }
  WideCall(WideCall const&) = delete;

  bool fits() const { return fits_; }
  Call const& call() const { return call_; }

 private:
  Call call_;
  std::vector<View> inputs_;
  bool fits_ = false;
};

template <class T>
void widen(View const& from, float* to) {
  auto const count = from.elements();
  auto const* const numbers = from.as<T const>();
  for_each_task((count + block - 1) / block, [&](std::int64_t task, std::int64_t) {
    auto const begin = task * block, some = std::min(block, count - begin);
    kernels::detail::convert_range(to + begin, numbers + begin, static_cast<int>(some));
  });
}

class Widened final : public Kernel {
 public:
  Widened(Call const& call, WideCall const& wide, std::unique_ptr<Kernel> product)
      : product_(std::move(product)) {
    for (std::size_t i = 0; i < 2; ++i) {
      narrow_[i] = call.inputs[i];
      wide_[i] = wide.call().inputs[i].as<float>();
    }
  }

  void run() override {
    for (std::size_t i = 0; i < 2; ++i) {
      if (narrow_[i].type == DataType::f16)
        widen<Float16>(narrow_[i], wide_[i]);
      else
        widen<BFloat16>(narrow_[i], wide_[i]);
    }
    product_->run();
  }

 private:
  View narrow_[2];
  float* wide_[2];
  std::unique_ptr<Kernel> product_;
};

Shape shape_of(View const& view) { return Shape(std::span(view.extents).first(view.rank)); }

/// f(shapes, part) of a convolution or one of its gradients, `otherwise` of other operators.
template <class F>
bool of_convolution(Call const& call, bool otherwise, F const& f) {
  auto const of = [&](auto const& op, View const& x, View const& kernel, View const& y,
                      ConvolutionPart part) {
    auto const seen = shape_of(x), taps = shape_of(kernel), made = shape_of(y);
    return f(ConvolutionShapes{seen, taps, made, {op.stride, op.padding, op.dilation}, op.groups},
             part);
  };
  auto const &a = call.inputs[0], &b = call.inputs[1], &result = call.outputs[0];
  if (auto const* op = std::get_if<operators::convolution>(call.op))
    return of(*op, a, b, result, ConvolutionPart::output);
  if (auto const* op = std::get_if<operators::convolution_input_gradient>(call.op))
    return of(*op, result, b, a, ConvolutionPart::input_gradient);
  if (auto const* op = std::get_if<operators::convolution_kernel_gradient>(call.op))
    return of(*op, a, result, b, ConvolutionPart::kernel_gradient);
  return otherwise;
}

/// Whether the factors of `call` are converted on every machine.
bool widens(Call const& call) {
  auto const type = call.inputs[0].type;
  return of_convolution(call, widens_factors(type), [&](auto const& shapes, auto part) {
    return widens_factors(type, shapes, part);
  });
}

/// Whether they are converted on this one, if there is memory for it.
bool transforms(Call const& call) {
  return tile_unit() != TileUnit::amx &&
         of_convolution(call, false, [&](auto const& shapes, auto part) {
           return transforms_widened(shapes, part, call.samples);
         });
}

}  // namespace

bool Dispatch::converts(Call const& call) const {
  if (widens(call)) return true;
  if (!transforms(call)) return false;
  WideCall const wide(call);
  return wide.fits() && accepts_f32(wide.call());
}

bool Dispatch::accepts(Call const& call) const {
  if (call.inputs[1].type != call.inputs[0].type) return false;
  if (!converts(call)) return takes_tiles(call);
  WideCall const wide(call);
  return wide.fits() && accepts_f32(wide.call());
}

std::unique_ptr<Kernel> Dispatch::bind(Call const& call) const {
  if (!converts(call)) return make_tiles(call);
  WideCall const wide(call);
  return std::make_unique<Widened>(call, wide, bind_f32(wide.call()));
}

}  // namespace lbann::kernels::host::sixteen_bit
