// The fixed first bytes of a plan file: magic, version, size, digest.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "schemas/vocabulary/result.hpp"

namespace lbann {

/// 8 bytes of magic, then little-endian: version (4 bytes), zero (4), bytes of the body (8), digest
/// of everything else in the file (8).
inline constexpr std::size_t plan_header_bytes = 32;

/// The second byte is not ASCII and the line ends differ, so that a transfer as text is noticed.
inline constexpr std::array<std::uint8_t, 8> plan_magic = {'L', 0xBA, 'p',  'l',
                                                           'a', 'n',  '\r', '\n'};

/// Whether a file that begins with `bytes` is meant as a plan.
bool is_plan(std::span<std::uint8_t const> bytes);

/// Digest of a plan file as its header must tell it; `file` holds at least a header.
std::uint64_t file_digest(std::span<std::uint8_t const> file);

/// Header and body in one; the body must leave room for the header at its beginning.
void write_header(std::vector<std::uint8_t>& file);

/// The body of `file` once magic, version, size and digest are right.
Result<std::span<std::uint8_t const>> body_of(std::span<std::uint8_t const> file);

}  // namespace lbann
