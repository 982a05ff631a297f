// Texts that hold numbers, such as names of layers.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace lbann::compiler {

/// A text taken apart at its numbers: `rests` has one element more than `numbers`. A text that is
/// nothing but a number, numbers with leading zeros, and what looks like an expression stay whole.
struct NumberedText {
  std::vector<std::string> rests;
  std::vector<std::int64_t> numbers;
};

NumberedText take_apart(std::string const& text);

/// `${step * name + first}` as people write it; the number alone where `step` is 0.
std::string growing(std::int64_t first, std::int64_t step, std::string const& name);

}  // namespace lbann::compiler
