// A place in a source text: a half-open range of bytes of one file.
#pragma once

#include <compare>
#include <cstdint>

namespace lbann {

/// Lines and columns are computed only when a span is shown. `file` indexes the table of sources;
/// `no_file` marks a thing that no text caused.
struct Span {
  static constexpr std::uint32_t no_file = 0xffffffff;

  std::uint32_t file = no_file;
  std::uint32_t begin = 0;
  std::uint32_t end = 0;

  constexpr bool known() const { return file != no_file; }
  friend constexpr auto operator<=>(Span const&, Span const&) = default;
};

}  // namespace lbann
