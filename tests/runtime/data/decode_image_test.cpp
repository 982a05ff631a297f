// Pictures written by libjpeg and libpng themselves, and what damage to them is called.
#include "runtime/data/decode_image.hpp"

#include <doctest/doctest.h>
#include <stdio.h>

#include <jpeglib.h>
#include <png.h>

#include <cmath>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <random>

#include "tests/support/contains.hpp"

using namespace lbann;
using namespace lbann::runtime;
using testing::contains;

namespace {

using Bytes = std::vector<std::uint8_t>;
/// Value of a channel at a row and a column.
using Picture = std::function<int(int c, int y, int x)>;

int slope(int c, int y, int x) { return (40 * c + 3 * y + 5 * x) % 256; }

Bytes jpeg_of(J_COLOR_SPACE space, int channels, int width, int height, Picture const& picture,
              bool progressive = false) {
  jpeg_compress_struct jpeg{};
  jpeg_error_mgr errors{};
  jpeg.err = jpeg_std_error(&errors);
  jpeg_create_compress(&jpeg);
  unsigned char* memory = nullptr;
  unsigned long size = 0;
  jpeg_mem_dest(&jpeg, &memory, &size);
  jpeg.image_width = static_cast<JDIMENSION>(width);
  jpeg.image_height = static_cast<JDIMENSION>(height);
  jpeg.input_components = channels;
  jpeg.in_color_space = space;
  jpeg_set_defaults(&jpeg);
  jpeg_set_quality(&jpeg, 100, TRUE);
  for (int i = 0; i < channels; ++i) {
    jpeg.comp_info[i].h_samp_factor = 1;
    jpeg.comp_info[i].v_samp_factor = 1;
  }
  if (progressive) jpeg_simple_progression(&jpeg);
  jpeg_start_compress(&jpeg, TRUE);
  Bytes row;
  for (int y = 0; y < height; ++y) {
    row.clear();
    for (int x = 0; x < width; ++x)
      for (int c = 0; c < channels; ++c) row.push_back(static_cast<std::uint8_t>(picture(c, y, x)));
    auto* pointer = row.data();
    jpeg_write_scanlines(&jpeg, &pointer, 1);
  }
  jpeg_finish_compress(&jpeg);
  jpeg_destroy_compress(&jpeg);
  Bytes bytes(memory, memory + size);
  std::free(memory);
  return bytes;
}

void append(png_structp png, png_bytep bytes, std::size_t count) {
  auto& all = *static_cast<Bytes*>(png_get_io_ptr(png));
  all.insert(all.end(), bytes, bytes + count);
}
void nothing(png_structp) {}

Bytes png_of(int colour, int depth, int width, int height, Picture const& picture,
             int interlace = PNG_INTERLACE_NONE) {
  auto* png = png_create_write_struct(PNG_LIBPNG_VER_STRING, nullptr, nullptr, nullptr);
  auto* info = png_create_info_struct(png);
  Bytes bytes;
  png_set_write_fn(png, &bytes, append, nothing);
  png_set_IHDR(png, info, static_cast<png_uint_32>(width), static_cast<png_uint_32>(height), depth,
               colour, interlace, PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
  std::vector<png_color> palette;
  if (colour == PNG_COLOR_TYPE_PALETTE) {
    for (int i = 0; i < 256; ++i)
      palette.push_back({static_cast<png_byte>(255 - i), static_cast<png_byte>(i), 7});
    png_set_PLTE(png, info, palette.data(), 256);
  }
  png_write_info(png, info);
  int const channels = png_get_channels(png, info);
  std::vector<Bytes> rows(static_cast<std::size_t>(height));
  std::vector<png_bytep> pointers;
  for (int y = 0; y < height; ++y) {
    auto& row = rows[static_cast<std::size_t>(y)];
    for (int x = 0; x < width; ++x)
      for (int c = 0; c < channels; ++c) {
        auto const value = picture(c, y, x);
        if (depth == 16) row.push_back(static_cast<std::uint8_t>(value >> 8));
        row.push_back(static_cast<std::uint8_t>(value));
      }
    pointers.push_back(row.data());
  }
  png_write_image(png, pointers.data());
  png_write_end(png, nullptr);
  png_destroy_write_struct(&png, &info);
  return bytes;
}

struct Decoded {
  Result<Success> result;
  SampleValues image;

  double at(int c, int y, int x) const {
    return image.values[static_cast<std::size_t>((c * image.height() + y) * image.width() + x)];
  }
};

Decoded decoded(Bytes const& bytes, std::int64_t channels) {
  Decoded all{Success{}, {}};
  all.result = decode_image(bytes, channels, all.image);
  return all;
}

std::string damage(Bytes const& bytes) {
  auto const all = decoded(bytes, 3);
  return all.result ? "" : all.result.problem().message;
}

/// All pixels are those of `picture` to within `tolerance`.
void check_picture(Bytes const& bytes, std::int64_t channels, int height, int width,
                   std::function<double(int c, int y, int x)> const& picture, double tolerance) {
  auto const all = decoded(bytes, channels);
  REQUIRE_MESSAGE(all.result.good(), all.result.problem().message);
  REQUIRE(all.image.dims == SampleDims{channels, height, width});
  double worst = 0;
  for (int c = 0; c < channels; ++c)
    for (int y = 0; y < height; ++y)
      for (int x = 0; x < width; ++x)
        worst = std::max(worst, std::abs(all.at(c, y, x) - picture(c, y, x)));
  CHECK(worst <= tolerance);
}

double grey_slope(int, int y, int x) {
  return 0.299 * slope(0, y, x) + 0.587 * slope(1, y, x) + 0.114 * slope(2, y, x);
}

}  // namespace

TEST_CASE("PNG of every kind gives its pixels") {
  for (auto const& [height, width] : {std::pair{1, 1}, {3, 5}, {17, 9}}) {
    for (int const interlace : {PNG_INTERLACE_NONE, PNG_INTERLACE_ADAM7}) {
      auto const rgb = png_of(PNG_COLOR_TYPE_RGB, 8, width, height, slope, interlace);
      check_picture(rgb, 3, height, width, slope, 0);
      check_picture(rgb, 1, height, width, grey_slope, 1e-9);
    }
    auto const of_first = [](int, int y, int x) { return slope(0, y, x); };
    auto const grey = png_of(PNG_COLOR_TYPE_GRAY, 8, width, height, slope);
    check_picture(grey, 1, height, width, of_first, 0);
    check_picture(grey, 3, height, width, of_first, 0);
    check_picture(png_of(PNG_COLOR_TYPE_GRAY_ALPHA, 8, width, height, slope), 1, height, width,
                  of_first, 0);
    check_picture(png_of(PNG_COLOR_TYPE_RGB_ALPHA, 8, width, height, slope), 3, height, width,
                  slope, 0);
    check_picture(
        png_of(PNG_COLOR_TYPE_PALETTE, 8, width, height, slope), 3, height, width,
        [](int c, int y, int x) {
          auto const index = slope(0, y, x);
          return c == 0 ? 255 - index : c == 1 ? index : 7;
        },
        0);
    auto const deep = [](int c, int y, int x) { return 251 * slope(c, y, x) + 100; };
    check_picture(
        png_of(PNG_COLOR_TYPE_RGB, 16, width, height, deep), 3, height, width,
        [&](int c, int y, int x) { return deep(c, y, x) / 257.0; }, 1e-9);
  }
}

TEST_CASE("JPEG of every kind gives its pixels to within what it loses") {
  for (auto const& [height, width] : {std::pair{1, 1}, {3, 5}, {17, 9}}) {
    auto const flat = [](int c, int y, int) { return 50 + 60 * c + y; };
    for (bool const progressive : {false, true})
      check_picture(jpeg_of(JCS_RGB, 3, width, height, flat, progressive), 3, height, width, flat,
                    3);
    auto const grey = jpeg_of(JCS_GRAYSCALE, 1, width, height, flat);
    auto const of_first = [&](int, int y, int x) { return flat(0, y, x); };
    check_picture(grey, 1, height, width, of_first, 2);
    check_picture(grey, 3, height, width, of_first, 2);
    check_picture(
        jpeg_of(JCS_RGB, 3, width, height, flat), 1, height, width,
        [&](int, int y, int x) {
          return 0.299 * flat(0, y, x) + 0.587 * flat(1, y, x) + 0.114 * flat(2, y, x);
        },
        2);
    // Inks with Adobe's marker: 255 is none.
    auto const inks = [&](int c, int y, int x) { return c == 3 ? 200 : flat(c, y, x); };
    check_picture(
        jpeg_of(JCS_CMYK, 4, width, height, inks), 3, height, width,
        [&](int c, int y, int x) { return inks(c, y, x) * 200 / 255.0; }, 3);
  }
}

TEST_CASE("a file that is no image is named") {
  CHECK(contains(damage({}), "the file is empty"));
  CHECK(contains(damage({'G', 'I', 'F', '8'}), "it begins like neither a JPEG nor a PNG"));
}

TEST_CASE("images cut anywhere are a problem, not a grey rest") {
  for (auto const& whole :
       {jpeg_of(JCS_RGB, 3, 20, 10, slope), jpeg_of(JCS_RGB, 3, 20, 10, slope, true),
        png_of(PNG_COLOR_TYPE_RGB, 8, 20, 10, slope)}) {
    REQUIRE(damage(whole) == "");
    for (std::size_t size = 0; size + 2 < whole.size(); ++size) {
      CAPTURE(size);
      CHECK(damage({whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(size)}) != "");
    }
  }
}

TEST_CASE("flipped bytes end in pixels or in a problem") {
  std::mt19937 random(1);
  for (auto const& whole :
       {jpeg_of(JCS_RGB, 3, 20, 10, slope, true), jpeg_of(JCS_CMYK, 4, 20, 10, slope),
        png_of(PNG_COLOR_TYPE_PALETTE, 8, 20, 10, slope)}) {
    int problems = 0;
    for (int i = 0; i < 300; ++i) {
      auto bytes = whole;
      bytes[random() % bytes.size()] ^= static_cast<std::uint8_t>(1 + random() % 255);
      problems += damage(bytes).empty() ? 0 : 1;
    }
    CHECK(problems > 20);
    CHECK(damage(whole) == "");  // whatever the files before have left behind
  }
}

TEST_CASE("an image of very many pixels is refused before memory is taken for it") {
  auto png = png_of(PNG_COLOR_TYPE_RGB, 8, 2, 2, slope);
  // Width and height in the header, whose checksum follows; libpng checks it first.
  for (std::size_t const at : {16U, 20U}) png[at + 1] = 0x7f;
  CHECK(contains(damage(png), "damaged PNG"));
  auto jpeg = jpeg_of(JCS_RGB, 3, 2, 2, slope);
  for (std::size_t i = 0; i + 9 < jpeg.size(); ++i)
    if (jpeg[i] == 0xff && jpeg[i + 1] == 0xc0) std::memset(jpeg.data() + i + 5, 0xf0, 4);
  CHECK(contains(damage(jpeg), "it has 61680 x 61680 pixels, more than"));
}
