// 64-bit digest of bytes, against damage (not against forgery).
#pragma once

#include <cstdint>
#include <span>

namespace lbann {

/// XXH64 of Yann Collet's xxHash with this seed; the same on every machine.
std::uint64_t digest(std::span<std::uint8_t const> bytes, std::uint64_t seed = 0);

}  // namespace lbann
