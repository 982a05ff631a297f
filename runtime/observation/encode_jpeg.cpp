// JPEG by libjpeg-turbo. The library reports errors by a function that must not return: it jumps
// back to where encoding began, so no object with a destructor lives between.
#include <cstdio>

#include <jpeglib.h>

#include <csetjmp>
#include <cstdlib>
#include <string>

#include "runtime/observation/encode_image.hpp"

namespace lbann::runtime {

namespace {

struct EncoderErrors {
  jpeg_error_mgr base;  ///< first, so that the library's pointer to it is one to this
  std::jmp_buf back;
  char message[JMSG_LENGTH_MAX];
};

[[noreturn]] void leave_encoder(j_common_ptr jpeg) {
  auto& errors = *reinterpret_cast<EncoderErrors*>(jpeg->err);
  errors.base.format_message(jpeg, errors.message);
  std::longjmp(errors.back, 1);
}

/// Writes to memory that the library allocates; false: `errors` has the message.
bool encode(Pixels const& pixels, EncoderErrors& errors, unsigned char** memory,
            unsigned long* size) {
  constexpr int quality = 95;
  jpeg_compress_struct jpeg{};
  jpeg.err = jpeg_std_error(&errors.base);
  errors.base.error_exit = leave_encoder;
  if (setjmp(errors.back) != 0) {
    jpeg_destroy_compress(&jpeg);
    return false;
  }
  jpeg_create_compress(&jpeg);
  jpeg_mem_dest(&jpeg, memory, size);
  jpeg.image_width = static_cast<JDIMENSION>(pixels.width);
  jpeg.image_height = static_cast<JDIMENSION>(pixels.height);
  jpeg.input_components = 3;
  jpeg.in_color_space = JCS_RGB;
  jpeg_set_defaults(&jpeg);
  jpeg_set_quality(&jpeg, quality, TRUE);
  jpeg_start_compress(&jpeg, TRUE);
  while (jpeg.next_scanline < jpeg.image_height) {
    auto* row = const_cast<JSAMPROW>(pixels.values.data() +
                                     std::size_t{jpeg.next_scanline} * pixels.width * 3);
    jpeg_write_scanlines(&jpeg, &row, 1);
  }
  jpeg_finish_compress(&jpeg);
  jpeg_destroy_compress(&jpeg);
  return true;
}

}  // namespace

Result<std::vector<std::byte>> encode_jpeg(Pixels const& pixels) {
  EncoderErrors errors{};
  unsigned char* memory = nullptr;
  unsigned long size = 0;
  bool const done = encode(pixels, errors, &memory, &size);
  auto const* const begin = reinterpret_cast<std::byte const*>(memory);
  std::vector<std::byte> bytes;
  if (done) bytes.assign(begin, begin + size);
  std::free(memory);
  if (!done) return Problem{std::string("libjpeg: ") + errors.message};
  return bytes;
}

}  // namespace lbann::runtime
