// Packs what windows see: in blocks of 32 positions, and in these by channels.
#include "kernels/host/sixteen_bit/window_factor.hpp"

#include <algorithm>
#include <cstring>

#include "kernels/host/sixteen_bit/seen_pieces.hpp"
#include "kernels/shapes/division.hpp"

namespace lbann::kernels::host::sixteen_bit {

namespace {

/// The pieces of as many taps of a pass as there is room for.
class ListedTaps {
 public:
  /// From tap `begin` on.
  ListedTaps(SeenPieces const& seen, std::int64_t begin, std::int64_t taps)
      : begin_(begin), end_(begin) {
    begins_[0] = 0;
    for (auto *next = begins_.data(), *const last = next + most_taps;
         end_ < taps && next < last && *next + seen.most() <= most_pieces; ++next, ++end_)
      next[1] = *next + seen.list(end_, pieces_.data() + *next);
  }

  std::int64_t begin() const { return begin_; }
  std::int64_t end() const { return end_; }
  std::span<SeenPiece const> operator[](std::int64_t tap) const {
    auto const* const begin = begins_.data() + (tap - begin_);
    return {pieces_.data() + begin[0], static_cast<std::size_t>(begin[1] - begin[0])};
  }

 private:
  static constexpr int most_taps = 32, most_pieces = 2 * Numbers::count;

  std::int64_t begin_, end_;
  std::array<SeenPiece, most_pieces> pieces_;
  std::array<int, most_taps + 1> begins_;
};

/// Calls f(listed) until all taps were listed.
template <class F>
void for_each_listed(SeenPieces const& seen, std::int64_t taps, F const& f) {
  for (std::int64_t begin = 0; begin < taps;) {
    ListedTaps const listed(seen, begin, taps);
    f(listed);
    begin = listed.end();
  }
}

}  // namespace

std::uint16_t const* ImagesFactor::read(std::int64_t row, std::int64_t begin, std::int64_t count,
                                        std::uint16_t* buffer) const {
  auto const* const channel = data_ + row * entries_;
  auto sample = begin / entries_, entry = begin % entries_;
  if (entry + count <= entries_) return channel + sample * sample_ + entry;
  for (std::int64_t done = 0; done < count; ++sample, entry = 0) {
    auto const some = std::min(entries_ - entry, count - done);
    std::memcpy(buffer + done, channel + sample * sample_ + entry,
                static_cast<std::size_t>(some) * sizeof *buffer);
    done += some;
  }
  return buffer;
}

void WindowPairs::pack(Side, PackedPart const& part, std::uint16_t* to, std::uint16_t*) const {
  auto const taps = images_.taps(), entries = images_.entries();
  auto const panel = part.tiles() * tile_elements;
  // Pair p of the inner extent is tap p % taps of channels 2 (p / taps) and the next one.
  auto const begin = part.inner / 2, end = begin + part.depth / 2;
  for (std::int64_t line = 0; line < part.lines; line += Numbers::count, to += 2 * panel) {
    SeenPieces const seen(images_.pass, images_.sample_step, part.line + line,
                          std::min<std::int64_t>(Numbers::count, part.lines - line));
    for_each_listed(seen, taps, [&](ListedTaps const& listed) {
      for (auto pair = begin / taps; pair * taps + listed.begin() < end; ++pair) {
        auto const* const first = images_.data + 2 * pair * entries;
        bool const both = 2 * pair + 1 < images_.depth;
        auto const last = std::min(listed.end(), end - pair * taps);
        for (auto tap = std::max(listed.begin(), begin - pair * taps); tap < last; ++tap) {
          auto* const at = to + (pair * taps + tap - begin) * 2 * tile_lines;
          Numbers::store_pairs(load(listed[tap], first),
                               both ? load(listed[tap], first + entries) : Numbers(), at,
                               at + panel);
        }
      }
    });
    std::fill(to + part.depth * tile_lines, to + panel, std::uint16_t{0});
    std::fill(to + panel + part.depth * tile_lines, to + 2 * panel, std::uint16_t{0});
  }
}

void WindowLines::pack(Side, PackedPart const& part, std::uint16_t* to,
                       std::uint16_t* buffer) const {
  auto const taps = images_.taps(), entries = images_.entries();
  auto const end = part.line + part.lines;
  std::fill(buffer + part.lines * tile_depth, buffer + part.panels() * tile_lines * tile_depth,
            std::uint16_t{0});
  for (std::int64_t tile = 0; tile < part.tiles(); ++tile, to += tile_elements) {
    auto const position = tile * tile_depth;
    SeenPieces const seen(images_.pass, images_.sample_step, part.inner + position,
                          std::min(tile_depth, part.depth - position));
    for_each_listed(seen, taps, [&](ListedTaps const& listed) {
      for (auto channel = part.line / taps; channel * taps + listed.begin() < end; ++channel) {
        auto const last = std::min(listed.end(), end - channel * taps);
        for (auto tap = std::max(listed.begin(), part.line - channel * taps); tap < last; ++tap)
          load(listed[tap], images_.data + channel * entries)
              .store(buffer + (channel * taps + tap - part.line) * tile_depth);
      }
    });
    for (std::int64_t panel = 0; panel < part.panels(); ++panel)
      transpose_pairs(buffer + panel * tile_elements, to + panel * part.tiles() * tile_elements);
  }
}

std::uint16_t const* KernelFactor::read(std::int64_t row, std::int64_t begin, std::int64_t count,
                                        std::uint16_t* buffer) const {
  auto const taps = static_cast<std::int64_t>(pass_.taps.size());
  auto channel = begin / 2 / taps * 2, tap = begin / 2 % taps;
  for (std::int64_t done = 0; done < count; channel += 2, tap = 0) {
    auto const* const first = kernel_ + row * row_step_ + channel * channel_step_;
    bool const both = channel + 1 < depth_;
    for (; tap < taps && done < count; ++tap, done += 2) {
      auto const at = pass_.taps[static_cast<std::size_t>(tap)];
      buffer[done] = first[at];
      buffer[done + 1] = both ? first[channel_step_ + at] : std::uint16_t{0};
    }
  }
  return buffer;
}

}  // namespace lbann::kernels::host::sixteen_bit
