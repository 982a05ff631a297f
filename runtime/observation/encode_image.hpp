// Pictures as files.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "schemas/vocabulary/result.hpp"

namespace lbann::runtime {

/// Red, green and blue of each pixel, row by row.
struct Pixels {
  std::size_t height = 0, width = 0;
  std::vector<std::uint8_t> values;
};

/// The bytes of a PNG file; problems are libpng's words.
Result<std::vector<std::byte>> encode_png(Pixels const& pixels);

/// The bytes of a JPEG file of quality 95; problems are libjpeg's words.
Result<std::vector<std::byte>> encode_jpeg(Pixels const& pixels);

}  // namespace lbann::runtime
