// Images beside and below one another, in one picture.
#pragma once

#include <cstdint>
#include <filesystem>
#include <span>
#include <vector>

#include "runtime/observation/encode_image.hpp"
#include "schemas/vocabulary/result.hpp"

namespace lbann::runtime {

/// One image of [channels, height, width] with 1 or 3 channels, without a frame, in the colours of
/// an `ImageSheet`.
Pixels pixels_of(std::vector<std::int64_t> const& dims, std::vector<double> const& image);

/// Rows of images of [channels, height, width] with 1 or 3 channels, each group of images scaled so
/// that its least number is black and its largest one white. Numbers that are not finite are red.
class ImageSheet {
 public:
  static constexpr std::size_t images_in_a_row = 8;

  /// A group of images of the same dims, below those before it.
  void add(std::vector<std::int64_t> const& dims, std::vector<std::vector<double>> const& images);

  bool empty() const { return bands_.empty(); }
  Pixels pixels() const;
  /// Writes a PNG file, whole or not at all.
  Result<Success> write(std::filesystem::path const& path) const;

 private:
  std::vector<Pixels> bands_;
};

}  // namespace lbann::runtime
