// The format from the first bytes.
#include "runtime/data/decode_image.hpp"

#include <algorithm>
#include <array>
#include <new>
#include <string>

namespace lbann::runtime {

namespace {

constexpr std::array<std::uint8_t, 3> jpeg_begin = {0xff, 0xd8, 0xff};
constexpr std::array<std::uint8_t, 8> png_begin = {0x89, 'P', 'N', 'G', '\r', '\n', 0x1a, '\n'};

template <std::size_t count>
bool begins_with(std::span<std::uint8_t const> bytes,
                 std::array<std::uint8_t, count> const& magic) {
  return bytes.size() >= count && std::equal(magic.begin(), magic.end(), bytes.begin());
}

}  // namespace

Result<Success> set_size(SampleValues& image, std::int64_t channels, std::int64_t height,
                         std::int64_t width) {
  if (height < 1 || width < 1) return Problem{"it has no pixels"};
  if (height > most_pixels / width)
    return Problem{"it has " + std::to_string(width) + " x " + std::to_string(height) +
                   " pixels, more than the " + std::to_string(most_pixels) + " that are read"};
  image.replace(channels, height, width);
  return Success{};
}

Result<Success> decode_image(std::span<std::uint8_t const> bytes, std::int64_t channels,
                             SampleValues& image) {
  try {
    if (begins_with(bytes, jpeg_begin)) return decode_jpeg(bytes, channels, image);
    if (begins_with(bytes, png_begin)) return decode_png(bytes, channels, image);
  } catch (std::bad_alloc const&) {
    return Problem{"no memory for its pixels"};
  }
  return Problem{bytes.empty() ? "the file is empty"
                               : "it begins like neither a JPEG nor a PNG; convert it to one"};
}

}  // namespace lbann::runtime
