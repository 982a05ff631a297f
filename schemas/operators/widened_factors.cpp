// Estimates of two ways to compute a convolution of 16-bit factors.
#include "schemas/operators/widened_factors.hpp"

#include <initializer_list>
#include <utility>

#include "schemas/operators/winograd_shapes.hpp"

namespace lbann {

namespace {

/// Samples of the mini-batch that is estimated.
constexpr std::int64_t samples = 32;

double product(std::initializer_list<std::int64_t> extents) {
  double result = 1;
  for (auto const extent : extents) result *= static_cast<double>(extent);
  return result;
}

/// Entries of an image.
std::int64_t entries_of(Shape const& images) {
  std::int64_t entries = 1;
  for (auto const extent : operators::rules::spatial_extents(images))
    entries = operators::rules::times(entries, extent);
  return entries;
}

/// Nanoseconds on one core, measured on a Xeon with AMX: multiplications of whole tiles, zeros
/// beyond the extents included; numbers of windows and of kernels that are put in the order of
/// tiles; runs of results of one channel of one image.
double nanoseconds_of_tiles(ConvolutionShapes const& c, ConvolutionPart part) {
  constexpr double per_multiplication = 2.0 / 800, per_number = 0.35, per_number_of_kernel = 0.8,
                   per_run = 40;
  auto const whole = [](std::int64_t extent) { return (extent + 31) / 32 * 32; };
  auto const taps = operators::rules::taps_of(c.kernel);
  auto const filters = c.y.extents[1].size / c.groups, depth = c.kernel.extents[1].size;
  auto rows = filters, inner = depth * taps, columns = samples * entries_of(c.y);
  if (part == ConvolutionPart::input_gradient) {
    rows = depth;
    inner = filters * taps;
  } else if (part == ConvolutionPart::kernel_gradient) {
    std::swap(inner, columns);
  }
  auto time = per_multiplication * product({whole(rows), whole(inner), whole(columns)}) +
              per_number * product({inner, columns});
  if (part != ConvolutionPart::kernel_gradient)
    time += per_number_of_kernel * product({rows, inner}) + per_run * product({rows, samples});
  return static_cast<double>(c.groups) * time;
}

/// The same of f32, whose kernels skip what taps see beyond the image: operations, and numbers that
/// are converted.
double nanoseconds_of_f32(ConvolutionShapes const& c, ConvolutionPart part) {
  constexpr double per_operation = 1.0 / 85, per_number = 0.3;
  using operators::rules::spatial_extents;
  auto const filters = c.y.extents[1].size, depth = c.kernel.extents[1].size;
  auto const taps =
      operators::rules::taps_inside(c.x, spatial_extents(c.kernel), spatial_extents(c.y), c.window);
  auto const x = product({samples, c.x.extents[1].size, entries_of(c.x)}),
             y = product({samples, filters, entries_of(c.y)}),
             kernel = product({filters, depth, operators::rules::taps_of(c.kernel)});
  auto const converted = part == ConvolutionPart::output           ? x + kernel
                         : part == ConvolutionPart::input_gradient ? y + kernel
                                                                   : x + y;
  return per_operation * product({2, samples, filters, depth, taps}) + per_number * converted;
}

}  // namespace

bool widens_factors(DataType type, ConvolutionShapes const& convolution, ConvolutionPart part) {
  if (type != DataType::bf16) return widens_factors(type);
  return nanoseconds_of_f32(convolution, part) < nanoseconds_of_tiles(convolution, part);
}

bool transforms_widened(ConvolutionShapes const& c, ConvolutionPart part, std::int64_t samples) {
  return winograd_shapes(c.x, c.kernel, c.y, c.window, c.groups,
                         part == ConvolutionPart::input_gradient, samples)
      .has_value();
}

}  // namespace lbann
