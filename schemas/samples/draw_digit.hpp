// Draws one digit as a hand might, from random numbers.
#pragma once

#include <cstdint>
#include <span>

#include "schemas/vocabulary/philox.hpp"

namespace lbann {

/// Class of digit number `index`: uniform in 0 to 9.
std::int64_t digit_of(PhiloxKey key, std::int64_t index);

/// Draws digit number `index` on `pixels`, `size` x `size` in C order, 0 for paper and 255 for ink:
/// one of the glyphs of its class with displaced points, under a random affine map, with a pen of
/// random width, softness and darkness, on noisy paper with stray marks. `distances` is scratch of
/// as many entries.
void draw_digit(PhiloxKey key, std::int64_t index, std::int64_t size,
                std::span<std::uint8_t> pixels, std::span<float> distances);

}  // namespace lbann
