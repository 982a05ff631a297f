// What transforms of images share.
#pragma once

#include "schemas/transforms/sample_values.hpp"

namespace lbann {

/// The same dims, if they are those of an image: channels, height, width.
Result<SampleDims> image_dims(SampleDims const& dims);
/// The same, of one channel or three, red, green and blue.
Result<SampleDims> color_dims(SampleDims const& dims);
/// The dims of an image from which so much is cut out: an image must not be smaller.
Result<SampleDims> cropped_dims(SampleDims const& dims, std::int64_t height, std::int64_t width);
/// Those of an image that is resized.
Result<SampleDims> resized_dims(SampleDims const& dims, std::int64_t height, std::int64_t width);
/// The same dims, if an image of these fits into memory.
Result<SampleDims> enlarged_dims(SampleDims const& dims);
/// The same dims, if there are as many channels as there are values of each channel.
Result<SampleDims> channel_dims(SampleDims const& dims, std::size_t means, std::size_t stddevs);

/// A part of an image.
struct ImagePart {
  std::int64_t top = 0, left = 0, height = 0, width = 0;
};

/// Cuts out a part.
void crop(SampleValues& image, ImagePart const& part);
/// The middle of an image, rounded as LBANN does.
ImagePart middle_of(SampleValues const& image, std::int64_t height, std::int64_t width);
/// Resizes a part of an image, which lies in it: bilinear, pixels as squares with their number at
/// the centre, edges repeated (OpenCV's INTER_LINEAR; Pillow's BILINEAR where it enlarges).
void resize(SampleValues& image, ImagePart const& part, std::int64_t height, std::int64_t width);

/// Brightness of a pixel of one channel or three: 0.299 red + 0.587 green + 0.114 blue (ITU-R
/// BT.601).
double gray_of(SampleValues const& image, std::int64_t pixel);
/// Mixes an image with another, `factor` of it and the rest of what `other` gives for a pixel;
/// limited to 0 to 255.
template <class Other>
void mix(SampleValues& image, double factor, Other other) {
  auto const pixels = image.height() * image.width();
  for (std::int64_t pixel = 0; pixel < pixels; ++pixel) {
    double const rest = (1 - factor) * other(pixel);
    for (std::int64_t channel = 0; channel < image.channels(); ++channel) {
      auto& value = image.values[static_cast<std::size_t>(channel * pixels + pixel)];
      double const mixed = factor * value + rest;
      value = mixed < 0 ? 0 : mixed > 255 ? 255 : mixed;
    }
  }
}

/// (value - mean) / deviation of each channel.
void normalize_channels(SampleValues& sample, std::vector<double> const& means,
                        std::vector<double> const& stddevs);

}  // namespace lbann
