// Numbers of the characters of SMILES.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "schemas/vocabulary/result.hpp"

namespace lbann {

/// Numbers of characters, and of the four signs around them.
class SmilesVocabulary {
 public:
  /// Reads lines of a character and its number; `<pad>`, `<unk>`, `<bos>` and `<eos>` must be among
  /// them. Tokens of several characters besides are of no use. Problems name line and column, as
  /// `:2:1: `.
  static Result<SmilesVocabulary> parse(std::string_view text);

  /// The number of a character, that of `<unk>` where there is none.
  std::int32_t number(char character) const {
    auto const number = numbers_[static_cast<unsigned char>(character)];
    return number < 0 ? unknown : number;
  }

  std::int32_t pad = -1, unknown = -1, begin = -1, end = -1;

 private:
  SmilesVocabulary() { numbers_.fill(-1); }
  std::array<std::int32_t, 256> numbers_;
};

}  // namespace lbann
