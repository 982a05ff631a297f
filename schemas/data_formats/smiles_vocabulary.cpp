// A token and a number in each line.
#include "schemas/data_formats/smiles_vocabulary.hpp"

#include <algorithm>
#include <charconv>
#include <string>
#include <utility>

namespace lbann {

namespace {

constexpr std::int32_t largest_number = 65535;  // LBANN keeps them in 16 bits
constexpr std::string_view blanks = " \t\r";

/// The next word of a line, and the line from there on.
std::string_view take_word(std::string_view& line) {
  line.remove_prefix(std::min(line.find_first_not_of(blanks), line.size()));
  auto const word = line.substr(0, line.find_first_of(blanks));
  line.remove_prefix(word.size());
  return word;
}

}  // namespace

Result<SmilesVocabulary> SmilesVocabulary::parse(std::string_view text) {
  SmilesVocabulary vocabulary;
  std::int64_t number_of_line = 0;
  auto const problem = [&](std::size_t byte, std::string const& what) {
    return Problem{":" + std::to_string(number_of_line) + ":" + std::to_string(byte + 1) + ": " +
                   what};
  };
  while (!text.empty()) {
    auto const line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(line.size() + 1, text.size()));
    ++number_of_line;
    auto rest = line;
    auto const token = take_word(rest), word = take_word(rest);
    if (token.empty()) continue;
    std::int32_t number = -1;
    auto const [end, error] = std::from_chars(word.data(), word.data() + word.size(), number);
    if (word.empty() || error != std::errc{} || end != word.data() + word.size() || number < 0 ||
        number > largest_number)
      return problem(line.size() - rest.size() - word.size(),
                     "behind the token a number from 0 to 65535 was expected");
    if (take_word(rest) != "") return problem(0, "a line holds a token and its number, no more");
    auto* place = token.size() == 1  ? &vocabulary.numbers_[static_cast<unsigned char>(token[0])]
                  : token == "<pad>" ? &vocabulary.pad
                  : token == "<unk>" ? &vocabulary.unknown
                  : token == "<bos>" ? &vocabulary.begin
                  : token == "<eos>" ? &vocabulary.end
                                     : nullptr;
    if (place == nullptr) continue;
    if (*place >= 0) return problem(0, "the token `" + std::string(token) + "` stands here twice");
    *place = number;
  }
  for (auto const& [token, number] : {std::pair{"<pad>", vocabulary.pad},
                                      {"<unk>", vocabulary.unknown},
                                      {"<bos>", vocabulary.begin},
                                      {"<eos>", vocabulary.end}})
    if (number < 0)
      return problem(0, std::string("the vocabulary ends without the token `") + token + "`");
  return vocabulary;
}

}  // namespace lbann
