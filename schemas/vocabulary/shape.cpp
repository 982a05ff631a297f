// Shapes of tensors: text form, broadcasting, checked sizes.
#include "schemas/vocabulary/shape.hpp"

#include <algorithm>
#include <charconv>

namespace lbann {

Shape::Shape(std::span<std::int64_t const> sizes) {
  for (auto size : sizes) extents.push_back({size, false});
}

bool Shape::has_batch() const {
  return std::any_of(extents.begin(), extents.end(), [](Extent e) { return e.batch; });
}

std::vector<std::int64_t> Shape::at(std::int64_t samples) const {
  std::vector<std::int64_t> sizes;
  sizes.reserve(extents.size());
  for (auto extent : extents) sizes.push_back(extent.at(samples));
  return sizes;
}

std::int64_t Shape::elements(std::int64_t samples) const {
  std::int64_t product = 1;
  for (auto extent : extents) product *= extent.at(samples);
  return product;
}

Shape batched(std::span<std::int64_t const> sample) {
  Shape shape{batch_extent};
  for (auto size : sample) shape.extents.push_back({size, false});
  return shape;
}

std::string to_text(Shape const& shape) {
  std::string text = "[";
  for (std::size_t i = 0; i < shape.rank(); ++i) {
    auto const extent = shape.extents[i];
    if (i != 0) text += ", ";
    if (!extent.batch || extent.size != 1) text += std::to_string(extent.size);
    if (extent.batch) text += extent.size == 1 ? "batch" : "*batch";
  }
  return text + "]";
}

std::optional<Shape> parse_shape(std::string_view text) {
  if (text.size() < 2 || text.front() != '[' || text.back() != ']') return std::nullopt;
  text = text.substr(1, text.size() - 2);
  Shape shape;
  while (!text.empty()) {
    auto const comma = text.find(',');
    auto part = text.substr(0, comma);
    text = comma == std::string_view::npos ? std::string_view{} : text.substr(comma + 1);
    while (!part.empty() && part.front() == ' ') part.remove_prefix(1);
    Extent extent;
    if (part == "batch") {
      extent = batch_extent;
    } else {
      auto const [end, error] =
          std::from_chars(part.data(), part.data() + part.size(), extent.size);
      if (error != std::errc{}) return std::nullopt;
      std::string_view const rest(end, static_cast<std::size_t>(part.data() + part.size() - end));
      if (!rest.empty() && rest != "*batch") return std::nullopt;
      extent.batch = !rest.empty();
    }
    shape.extents.push_back(extent);
  }
  return shape;
}

std::optional<Shape> broadcast(Shape const& a, Shape const& b) {
  auto const rank = std::max(a.rank(), b.rank());
  Shape result;
  result.extents.resize(rank);
  constexpr Extent one{1, false};
  for (std::size_t i = 0; i < rank; ++i) {
    auto const from_a = i < a.rank() ? a.extents[a.rank() - 1 - i] : one;
    auto const from_b = i < b.rank() ? b.extents[b.rank() - 1 - i] : one;
    if (from_a != from_b && from_a != one && from_b != one) return std::nullopt;
    result.extents[rank - 1 - i] = from_a == one ? from_b : from_a;
  }
  return result;
}

std::optional<std::int64_t> checked_product(std::span<std::int64_t const> factors) {
  std::int64_t product = 1;
  for (auto factor : factors)
    if (factor < 0 || __builtin_mul_overflow(product, factor, &product)) return std::nullopt;
  return product;
}

}  // namespace lbann
