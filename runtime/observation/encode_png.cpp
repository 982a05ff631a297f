// PNG by libpng's simplified interface.
#include <png.h>

#include "runtime/observation/encode_image.hpp"

namespace lbann::runtime {

Result<std::vector<std::byte>> encode_png(Pixels const& pixels) {
  png_image image{};
  image.version = PNG_IMAGE_VERSION;
  image.width = static_cast<png_uint_32>(pixels.width);
  image.height = static_cast<png_uint_32>(pixels.height);
  image.format = PNG_FORMAT_RGB;
  png_alloc_size_t size = 0;
  auto const encode = [&](void* to) {
    return png_image_write_to_memory(&image, to, &size, 0, pixels.values.data(), 0, nullptr) != 0;
  };
  std::vector<std::byte> bytes;
  if (encode(nullptr)) {
    bytes.resize(size);
    if (encode(bytes.data())) return bytes;
  }
  return Problem{std::string("libpng: ") + image.message};
}

}  // namespace lbann::runtime
