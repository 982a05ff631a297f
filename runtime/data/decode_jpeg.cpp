// JPEG by libjpeg-turbo. The library reports errors by a function that must not return: it jumps
// back to where decoding began, so no object with a destructor lives between.
#include <cstdio>

#include <jpeglib.h>

#include <jerror.h>

#include <csetjmp>
#include <cstddef>
#include <string>
#include <vector>

#include "runtime/data/decode_image.hpp"

namespace lbann::runtime {

namespace {

struct JpegErrors {
  jpeg_error_mgr base;  ///< first, so that the library's pointer to it is one to this
  std::jmp_buf back;
  char message[JMSG_LENGTH_MAX];
};

[[noreturn]] void leave(j_common_ptr jpeg) {
  auto& errors = *reinterpret_cast<JpegErrors*>(jpeg->err);
  errors.base.format_message(jpeg, errors.message);
  std::longjmp(errors.back, 1);
}

/// Warnings tell of damaged data, which the library fills with grey: errors here. Only bytes that
/// some cameras leave between two markers are no damage.
void warn(j_common_ptr jpeg, int level) {
  if (level < 0 && jpeg->err->msg_code != JWRN_EXTRANEOUS_DATA) leave(jpeg);
}

/// One decoder for each thread: its tables are made once.
class JpegDecoder {
 public:
  JpegDecoder() {
    jpeg_.err = jpeg_std_error(&errors_.base);
    errors_.base.error_exit = leave;
    errors_.base.emit_message = warn;
    if (setjmp(errors_.back) == 0) {
      jpeg_create_decompress(&jpeg_);
      made_ = true;
    }
  }
  ~JpegDecoder() {
    if (made_) jpeg_destroy_decompress(&jpeg_);
  }
  JpegDecoder(JpegDecoder const&) = delete;

  Result<Success> decode(std::span<std::uint8_t const> bytes, std::int64_t channels,
                         SampleValues& image) {
    if (!made_) return Problem{errors_.message};
    if (!begin(bytes, channels)) return failure();
    auto sized = set_size(image, channels, jpeg_.output_height, jpeg_.output_width);
    if (!sized) {
      jpeg_abort_decompress(&jpeg_);
      return sized;
    }
    row_.resize(std::size_t{jpeg_.output_width} *
                static_cast<std::size_t>(jpeg_.out_color_components));
    if (!read_rows(image)) return failure();
    return Success{};
  }

 private:
  Problem failure() {
    jpeg_abort_decompress(&jpeg_);
    return {"it is a damaged JPEG, or of a kind that is not read: " + std::string(errors_.message)};
  }

  bool begin(std::span<std::uint8_t const> bytes, std::int64_t channels) {
    if (setjmp(errors_.back) != 0) return false;
    jpeg_mem_src(&jpeg_, bytes.data(), static_cast<unsigned long>(bytes.size()));
    jpeg_read_header(&jpeg_, TRUE);
    bool const has_black = jpeg_.jpeg_color_space == JCS_CMYK || jpeg_.jpeg_color_space == JCS_YCCK;
    jpeg_.out_color_space = has_black ? JCS_CMYK : channels == 1 ? JCS_GRAYSCALE : JCS_RGB;
    jpeg_calc_output_dimensions(&jpeg_);
    // Before it is allocated what a progressive image needs in memory.
    if (std::int64_t{jpeg_.image_height} > most_pixels / std::int64_t{jpeg_.image_width})
      return true;
    jpeg_start_decompress(&jpeg_);
    return true;
  }

  bool read_rows(SampleValues& image) {
    if (setjmp(errors_.back) != 0) return false;
    while (jpeg_.output_scanline < jpeg_.output_height) {
      auto const y = jpeg_.output_scanline;
      auto* row = row_.data();
      jpeg_read_scanlines(&jpeg_, &row, 1);
      if (jpeg_.out_color_space == JCS_CMYK)
        store_inks(image, y);
      else
        store(image, y);
    }
    jpeg_finish_decompress(&jpeg_);
    return true;
  }

  void store(SampleValues& image, std::size_t y) const {
    auto const width = static_cast<std::size_t>(image.width());
    auto const plane = width * static_cast<std::size_t>(image.height());
    auto* const to = image.values.data() + y * width;
    if (image.channels() == 1) {
      for (std::size_t x = 0; x < width; ++x) to[x] = row_[x];
      return;
    }
    for (std::size_t x = 0; x < width; ++x) {
      to[x] = row_[3 * x];
      to[x + plane] = row_[3 * x + 1];
      to[x + 2 * plane] = row_[3 * x + 2];
    }
  }

  /// Programs of Adobe, which write them, store how little ink there is.
  void store_inks(SampleValues& image, std::size_t y) const {
    auto const width = static_cast<std::size_t>(image.width());
    auto const plane = width * static_cast<std::size_t>(image.height());
    auto* const to = image.values.data() + y * width;
    for (std::size_t x = 0; x < width; ++x) {
      double colour[3];
      for (std::size_t c = 0; c < 3; ++c) {
        auto const ink = row_[4 * x + c], black = row_[4 * x + 3];
        colour[c] =
            jpeg_.saw_Adobe_marker != 0 ? ink * black / 255.0 : (255 - ink) * (255 - black) / 255.0;
      }
      if (image.channels() == 1)
        to[x] = grey_of(colour[0], colour[1], colour[2]);
      else
        for (std::size_t c = 0; c < 3; ++c) to[x + c * plane] = colour[c];
    }
  }

  jpeg_decompress_struct jpeg_{};
  JpegErrors errors_{};
  bool made_ = false;
  std::vector<JSAMPLE> row_;
};

}  // namespace

Result<Success> decode_jpeg(std::span<std::uint8_t const> bytes, std::int64_t channels,
                            SampleValues& image) {
  thread_local JpegDecoder decoder;
  return decoder.decode(bytes, channels, image);
}

}  // namespace lbann::runtime
