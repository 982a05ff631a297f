// The digest of what a plan means, taken while its bytes are written.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>
#include <string_view>

#include "schemas/plan/digest.hpp"

namespace lbann {

/// Takes in a plan's content in the order it is written, but for sources, spans, overrides and
/// paths. Lists and texts go in after their lengths, so that no two contents look alike. The digest
/// is that of blocks of up to 4096 bytes, each seeded with the one before.
class Meaning {
 public:
  void add(std::uint64_t number) {
    if (block_.size() - used_ < 8) flush();
    auto* const at = block_.data() + used_;
    for (int i = 0; i < 8; ++i) at[i] = static_cast<std::uint8_t>(number >> (8 * i));
    used_ += 8;
  }
  void add(std::string_view text) {
    add(std::uint64_t{text.size()});
    append({reinterpret_cast<std::uint8_t const*>(text.data()), text.size()});
  }

  std::uint64_t value() const { return digest(std::span(block_).first(used_), value_); }

 private:
  void append(std::span<std::uint8_t const> bytes) {
    while (!bytes.empty()) {
      auto const count = std::min(bytes.size(), block_.size() - used_);
      std::copy_n(bytes.begin(), count, block_.begin() + static_cast<std::ptrdiff_t>(used_));
      used_ += count;
      bytes = bytes.subspan(count);
      if (used_ == block_.size()) flush();
    }
  }
  void flush() {
    value_ = value();
    used_ = 0;
  }

  std::array<std::uint8_t, 4096> block_;
  std::size_t used_ = 0;
  std::uint64_t value_ = 0;
};

}  // namespace lbann
