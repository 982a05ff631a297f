// Pixels of all images, band by band.
#include "runtime/observation/image_sheet.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "runtime/checkpoints/replacing_file.hpp"

namespace lbann::runtime {

namespace {

constexpr std::size_t gap = 2;
constexpr std::uint8_t background = 96;

/// The largest and the least finite number.
struct Scale {
  double least = 0, most = 0;

  explicit Scale(std::vector<std::vector<double>> const& images) {
    bool any = false;
    for (auto const& image : images)
      for (double const value : image) {
        if (!std::isfinite(value)) continue;
        least = any ? std::min(least, value) : value;
        most = any ? std::max(most, value) : value;
        any = true;
      }
  }
  std::uint8_t grey(double value) const {
    auto const span = most - least;
    return static_cast<std::uint8_t>(span > 0 ? std::lround(255 * ((value - least) / span)) : 128);
  }
};

/// Draws an image of [channels, height, width] with its upper left pixel at `row` and `column`.
void draw(Pixels& onto, std::size_t row, std::size_t column, std::vector<std::int64_t> const& dims,
          std::vector<double> const& image, Scale const& scale) {
  auto const height = static_cast<std::size_t>(dims[1]), width = static_cast<std::size_t>(dims[2]);
  for (std::size_t y = 0; y < height; ++y)
    for (std::size_t x = 0; x < width; ++x) {
      auto* const pixel = onto.values.data() + 3 * ((row + y) * onto.width + column + x);
      std::array<double, 3> color{};
      for (std::size_t c = 0; c < 3; ++c)
        color[c] = image[(dims[0] == 3 ? c * height * width : 0) + y * width + x];
      bool const finite =
          std::ranges::all_of(color, [](double value) { return std::isfinite(value); });
      for (std::size_t c = 0; c < 3; ++c)
        pixel[c] = finite ? scale.grey(color[c]) : static_cast<std::uint8_t>(c == 0 ? 255 : 0);
    }
}

}  // namespace

Pixels pixels_of(std::vector<std::int64_t> const& dims, std::vector<double> const& image) {
  Pixels pixels{static_cast<std::size_t>(dims[1]), static_cast<std::size_t>(dims[2]), {}};
  pixels.values.resize(pixels.height * pixels.width * 3);
  draw(pixels, 0, 0, dims, image, Scale({image}));
  return pixels;
}

void ImageSheet::add(std::vector<std::int64_t> const& dims,
                     std::vector<std::vector<double>> const& images) {
  if (images.empty()) return;
  Scale const scale(images);
  auto const height = static_cast<std::size_t>(dims[1]), width = static_cast<std::size_t>(dims[2]);
  auto const columns = std::min(images.size(), images_in_a_row);
  auto const rows = (images.size() + images_in_a_row - 1) / images_in_a_row;
  Pixels band{rows * (height + gap) + gap, columns * (width + gap) + gap, {}};
  band.values.assign(band.height * band.width * 3, background);
  for (std::size_t i = 0; i < images.size(); ++i)
    draw(band, gap + i / images_in_a_row * (height + gap),
         gap + i % images_in_a_row * (width + gap), dims, images[i], scale);
  bands_.push_back(std::move(band));
}

Pixels ImageSheet::pixels() const {
  Pixels all;
  for (auto const& band : bands_) {
    all.height += band.height;
    all.width = std::max(all.width, band.width);
  }
  all.values.assign(all.height * all.width * 3, background);
  std::size_t row = 0;
  for (auto const& band : bands_)
    for (std::size_t y = 0; y < band.height; ++y, ++row)
      std::copy_n(band.values.begin() + static_cast<std::ptrdiff_t>(y * band.width * 3),
                  band.width * 3,
                  all.values.begin() + static_cast<std::ptrdiff_t>(row * all.width * 3));
  return all;
}

Result<Success> ImageSheet::write(std::filesystem::path const& path) const {
  auto const bytes = encode_png(pixels());
  if (!bytes) return Problem{path.string() + ": " + bytes.problem().message};
  auto file = ReplacingFile::create(path);
  if (!file) return file.problem();
  if (auto done = file.value().write(bytes.value()); !done) return done;
  return file.value().replace_target();
}

}  // namespace lbann::runtime
