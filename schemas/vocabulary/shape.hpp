// Shapes of tensors: C order, the mini-batch as the only symbolic extent.
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace lbann {

/// One extent: `size`, or `size` times the number of local samples when `batch` is set.
struct Extent {
  std::int64_t size = 1;
  bool batch = false;

  constexpr std::int64_t at(std::int64_t samples) const { return batch ? size * samples : size; }
  friend constexpr auto operator<=>(Extent const&, Extent const&) = default;
};

/// The symbolic extent of the mini-batch.
inline constexpr Extent batch_extent{1, true};

/// Extents in C order (last one contiguous). A scalar has none. Text form: `[batch, 1, 28, 28]`,
/// `[10*batch]`, `[]`.
struct Shape {
  std::vector<Extent> extents;

  Shape() = default;
  Shape(std::initializer_list<Extent> list) : extents(list) {}
  explicit Shape(std::span<std::int64_t const> sizes);

  std::size_t rank() const { return extents.size(); }
  bool has_batch() const;
  /// Sizes with the batch bound to `samples`.
  std::vector<std::int64_t> at(std::int64_t samples) const;
  /// Number of elements with the batch bound to `samples`.
  std::int64_t elements(std::int64_t samples) const;
  friend auto operator<=>(Shape const&, Shape const&) = default;
};

/// Shape of a mini-batch of samples of these sizes: the batch extent, then `sample`.
Shape batched(std::span<std::int64_t const> sample);

std::string to_text(Shape const& shape);
/// Parses what `to_text` prints; nothing if `text` is something else.
std::optional<Shape> parse_shape(std::string_view text);

/// The shape both broadcast to by NumPy's rule (aligned at the last axis, extent 1 stretches), or
/// nothing if they clash.
std::optional<Shape> broadcast(Shape const& a, Shape const& b);

/// Product with overflow check; nothing if it does not fit or a factor is negative.
std::optional<std::int64_t> checked_product(std::span<std::int64_t const> factors);

}  // namespace lbann
