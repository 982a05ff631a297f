// Images from the bytes of files; by libjpeg-turbo and libpng.
#pragma once

#include <cstdint>
#include <span>

#include "schemas/transforms/sample_values.hpp"
#include "schemas/vocabulary/result.hpp"

namespace lbann::runtime {

/// Most pixels of an image: what unpacks to more is taken for damaged or malicious.
inline constexpr std::int64_t most_pixels = std::int64_t{1} << 27;

/// Decodes a JPEG or a PNG, by its first bytes, to [channels, height, width] in values 0 to 255:
/// `channels` is 3 for red, green and blue, or 1 for grey, 0.299 r + 0.587 g + 0.114 b.
/// Transparency is left out, values of 16 bits are divided by 257. Problems do not name the file.
/// An orientation that a camera has noted is not applied.
Result<Success> decode_image(std::span<std::uint8_t const> bytes, std::int64_t channels,
                             SampleValues& image);

/// The same of bytes that begin like a JPEG.
Result<Success> decode_jpeg(std::span<std::uint8_t const> bytes, std::int64_t channels,
                            SampleValues& image);
/// The same of a PNG.
Result<Success> decode_png(std::span<std::uint8_t const> bytes, std::int64_t channels,
                           SampleValues& image);

/// Grey of a colour (ITU-R BT.601).
inline double grey_of(double red, double green, double blue) {
  return 0.299 * red + 0.587 * green + 0.114 * blue;
}

/// A problem for sizes that no image here may have, else `image` gets them.
Result<Success> set_size(SampleValues& image, std::int64_t channels, std::int64_t height,
                         std::int64_t width);

}  // namespace lbann::runtime
