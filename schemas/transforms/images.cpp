// Dims, cuts and bilinear interpolation of images.
#include "schemas/transforms/images.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "schemas/vocabulary/shape.hpp"

namespace lbann {

namespace {

/// Of one image: 8 GiB in double.
constexpr std::int64_t most_numbers = std::int64_t{1} << 30;

/// Two neighbours of a place between pixels, and the weight of the second.
struct Between {
  std::int64_t first, second;
  double weight;
};

/// Of pixel `to` of `size`, in a line of `from` pixels.
Between between(std::int64_t to, std::int64_t size, std::int64_t from) {
  double const scale = static_cast<double>(from) / static_cast<double>(size);
  double const place =
      std::clamp((static_cast<double>(to) + 0.5) * scale - 0.5, 0.0, static_cast<double>(from - 1));
  auto const first = static_cast<std::int64_t>(place);
  return {first, std::min(first + 1, from - 1), place - static_cast<double>(first)};
}

std::string size_text(std::int64_t height, std::int64_t width) {
  return std::to_string(height) + " x " + std::to_string(width);
}

}  // namespace

Result<SampleDims> image_dims(SampleDims const& dims) {
  if (dims.size() == 3) return dims;
  return Problem{"works on images, with channels, height and width; a sample is " +
                 to_text(Shape(dims)) + " here"};
}

Result<SampleDims> color_dims(SampleDims const& dims) {
  auto image = image_dims(dims);
  if (!image || dims[0] == 0 || dims[0] == 1 || dims[0] == 3) return image;
  return Problem{"works on images of one channel or three, these have " + std::to_string(dims[0])};
}

Result<SampleDims> cropped_dims(SampleDims const& dims, std::int64_t height, std::int64_t width) {
  auto image = image_dims(dims);
  if (!image) return image;
  if ((dims[1] > 0 && dims[1] < height) || (dims[2] > 0 && dims[2] < width))
    return Problem{"cuts out " + size_text(height, width) + " pixels, but images are " +
                   size_text(dims[1], dims[2]) + " here"};
  return SampleDims{dims[0], height, width};
}

Result<SampleDims> resized_dims(SampleDims const& dims, std::int64_t height, std::int64_t width) {
  auto image = image_dims(dims);
  if (!image) return image;
  return enlarged_dims({dims[0], height, width});
}

Result<SampleDims> enlarged_dims(SampleDims const& dims) {
  auto const numbers = checked_product(dims);
  if (numbers && *numbers <= most_numbers) return dims;
  return Problem{"makes images of " + size_text(dims[1], dims[2]) + " pixels, which are too large"};
}

Result<SampleDims> channel_dims(SampleDims const& dims, std::size_t means, std::size_t stddevs) {
  auto const channels = static_cast<std::int64_t>(means);
  if (means == stddevs && !dims.empty() && (dims[0] == channels || dims[0] == 0)) return dims;
  return Problem{"has " + std::to_string(means) + " means and " + std::to_string(stddevs) +
                 " deviations, but a sample of " + to_text(Shape(dims)) +
                 " needs one of each for " +
                 (dims.empty() ? "it" : "every of its " + std::to_string(dims[0]) + " channels")};
}

void crop(SampleValues& image, ImagePart const& part) {
  auto const height = image.height(), width = image.width();
  image.replace(image.channels(), part.height, part.width);
  auto to = image.values.begin();
  for (std::int64_t channel = 0; channel < image.channels(); ++channel)
    for (std::int64_t row = 0; row < part.height; ++row)
      to = std::copy_n(
          image.before.begin() + (channel * height + part.top + row) * width + part.left,
          part.width, to);
}

ImagePart middle_of(SampleValues const& image, std::int64_t height, std::int64_t width) {
  // Half a pixel is rounded up.
  return {(image.height() - height + 1) / 2, (image.width() - width + 1) / 2, height, width};
}

void resize(SampleValues& image, ImagePart const& part, std::int64_t height, std::int64_t width) {
  auto const old_height = image.height(), old_width = image.width();
  image.replace(image.channels(), height, width);
  thread_local std::vector<Between> of_columns;  // the same for every row and channel
  of_columns.clear();
  for (std::int64_t column = 0; column < width; ++column)
    of_columns.push_back(between(column, width, part.width));
  auto* to = image.values.data();
  for (std::int64_t channel = 0; channel < image.channels(); ++channel) {
    auto const* const from =
        image.before.data() + channel * old_height * old_width + part.top * old_width + part.left;
    for (std::int64_t row = 0; row < height; ++row) {
      auto const rows = between(row, height, part.height);
      auto const* const upper = from + rows.first * old_width;
      auto const* const lower = from + rows.second * old_width;
      for (auto const& columns : of_columns) {
        auto const mix = [&](double const* line) {
          return line[columns.first] +
                 columns.weight * (line[columns.second] - line[columns.first]);
        };
        double const above = mix(upper);
        *to++ = above + rows.weight * (mix(lower) - above);
      }
    }
  }
}

double gray_of(SampleValues const& image, std::int64_t pixel) {
  if (image.channels() == 1) return image.values[static_cast<std::size_t>(pixel)];
  auto const pixels = image.height() * image.width();
  auto const* const values = image.values.data() + pixel;
  return 0.299 * values[0] + 0.587 * values[pixels] + 0.114 * values[2 * pixels];
}

void normalize_channels(SampleValues& sample, std::vector<double> const& means,
                        std::vector<double> const& stddevs) {
  auto const of_channel = sample.values.size() / means.size();
  for (std::size_t channel = 0; channel < means.size(); ++channel)
    for (std::size_t i = 0; i < of_channel; ++i) {
      auto& value = sample.values[channel * of_channel + i];
      value = (value - means[channel]) / stddevs[channel];
    }
}

}  // namespace lbann
