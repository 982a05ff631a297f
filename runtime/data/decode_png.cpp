// PNG by libpng, which reports errors as libjpeg does: by a jump.
#include <png.h>

#include <algorithm>
#include <csetjmp>
#include <cstring>
#include <string>
#include <vector>

#include "runtime/data/decode_image.hpp"

namespace lbann::runtime {

namespace {

/// A PNG while it is decoded: what the library's functions find by their pointers.
struct PngSource {
  std::span<std::uint8_t const> bytes;
  std::size_t at = 0;
  char message[200] = {};
  png_structp png = nullptr;
  png_infop info = nullptr;

  ~PngSource() { png_destroy_read_struct(&png, &info, nullptr); }
};

[[noreturn]] void leave_png(png_structp png, png_const_charp words) {
  auto& source = *static_cast<PngSource*>(png_get_error_ptr(png));
  std::strncpy(source.message, words, sizeof(source.message) - 1);
  png_longjmp(png, 1);
}

/// Of parts that do not change the pixels.
void ignore_warning(png_structp, png_const_charp) {}

void give_bytes(png_structp png, png_bytep to, std::size_t count) {
  auto& source = *static_cast<PngSource*>(png_get_io_ptr(png));
  if (count > source.bytes.size() - source.at) png_error(png, "the file ends before the image");
  std::memcpy(to, source.bytes.data() + source.at, count);
  source.at += count;
}

/// Reads sizes and asks for grey or RGB without transparency, of 8 or 16 bits.
bool read_png_header(PngSource& source) {
  if (setjmp(png_jmpbuf(source.png)) != 0) return false;
  // Sizes are limited by what we say of them.
  png_set_user_limits(source.png, 0x7fffffff, 0x7fffffff);
  png_set_read_fn(source.png, &source, give_bytes);
  png_read_info(source.png, source.info);
  png_set_expand(source.png);
  png_set_strip_alpha(source.png);
  png_set_interlace_handling(source.png);
  png_read_update_info(source.png, source.info);
  return true;
}

bool read_png_rows(PngSource& source, std::vector<png_bytep>& rows) {
  if (setjmp(png_jmpbuf(source.png)) != 0) return false;
  png_read_image(source.png, rows.data());
  png_read_end(source.png, nullptr);
  return true;
}

/// Value `index` of a row of `depth` bits a value, as 0 to 255.
double value_of(png_const_bytep row, std::size_t index, int depth) {
  if (depth == 8) return row[index];
  return (row[2 * index] * 256 + row[2 * index + 1]) / 257.0;
}

}  // namespace

Result<Success> decode_png(std::span<std::uint8_t const> bytes, std::int64_t channels,
                           SampleValues& image) {
  thread_local std::vector<std::uint8_t> pixels;
  thread_local std::vector<png_bytep> rows;
  PngSource source;
  source.bytes = bytes;
  source.png = png_create_read_struct(PNG_LIBPNG_VER_STRING, &source, leave_png, ignore_warning);
  if (source.png != nullptr) source.info = png_create_info_struct(source.png);
  if (source.info == nullptr) return Problem{"no memory to decode it"};
  auto const failure = [&] {
    return Problem{"it is a damaged PNG: " + std::string(source.message)};
  };
  if (!read_png_header(source)) return failure();
  auto const height = png_get_image_height(source.png, source.info);
  auto const width = png_get_image_width(source.png, source.info);
  if (auto sized = set_size(image, channels, height, width); !sized) return sized;
  auto const row_bytes = png_get_rowbytes(source.png, source.info);
  pixels.resize(row_bytes * height);
  rows.resize(height);
  for (std::size_t y = 0; y < height; ++y) rows[y] = pixels.data() + y * row_bytes;
  if (!read_png_rows(source, rows)) return failure();

  int const depth = png_get_bit_depth(source.png, source.info);
  bool const in_colour = png_get_channels(source.png, source.info) >= 3;
  auto const plane = std::size_t{width} * height;
  auto* to = image.values.data();
  for (std::size_t y = 0; y < height; ++y)
    for (std::size_t x = 0; x < width; ++x, ++to) {
      auto const part = [&](std::size_t c) {
        return value_of(rows[y], in_colour ? 3 * x + c : x, depth);
      };
      if (channels == 3)
        for (std::size_t c = 0; c < 3; ++c) to[c * plane] = part(c);
      else
        to[0] = in_colour ? grey_of(part(0), part(1), part(2)) : part(0);
    }
  return Success{};
}

}  // namespace lbann::runtime
