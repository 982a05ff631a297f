// Rounding of scalars and of long lists.
#include "compiler/importer/single_precision.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

#include "compiler/experiment/values/expression.hpp"

namespace lbann::compiler {

namespace {

/// A number as a field of type float holds it: the one with the fewest digits that is as near.
double rounded_to_float(double number) {
  auto const single = static_cast<float>(number);
  if (single == number || !std::isfinite(single)) return number;
  std::array<char, 32> text;
  auto const end = std::to_chars(text.data(), text.data() + text.size(), single).ptr;
  std::from_chars(text.data(), end, number);
  return number;
}

}  // namespace

void round_to_float(Node& node) {
  for (auto& item : node.items) round_to_float(item);
  if (node.kind == Node::Kind::numbers) {
    auto const changes = [](WrittenNumber const& number) {
      return rounded_to_float(number.value) != number.value;
    };
    if (std::ranges::none_of(*node.numbers, changes)) return;
    auto numbers = *node.numbers;
    for (auto& number : numbers) {
      if (!changes(number)) continue;
      number.value = rounded_to_float(number.value);
      number.whole = false;
    }
    node.numbers = std::make_shared<std::vector<WrittenNumber>>(std::move(numbers));
  } else if (node.kind == Node::Kind::scalar && !node.quoted) {
    auto const scalar = scalar_of(node.text);
    auto const* whole = std::get_if<std::int64_t>(&scalar);
    auto const* real = std::get_if<double>(&scalar);
    if (whole == nullptr && real == nullptr) return;
    auto const number = real != nullptr ? *real : static_cast<double>(*whole);
    auto const rounded = rounded_to_float(number);
    if (rounded != number) node.text = to_text(Scalar(rounded));
  }
}

}  // namespace lbann::compiler
