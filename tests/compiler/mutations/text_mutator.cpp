// One function for each kind of change.
#include "tests/compiler/mutations/text_mutator.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <vector>

namespace lbann::testing {

namespace {

/// A part of a text.
struct Piece {
  std::size_t begin = 0, size = 0;
};

bool in_token(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '.' || c == '-' ||
         c == '+';
}

/// Words and numbers.
std::vector<Piece> tokens_of(std::string_view text) {
  std::vector<Piece> tokens;
  for (std::size_t at = 0; at < text.size();) {
    if (!in_token(text[at])) {
      ++at;
      continue;
    }
    auto end = at;
    while (end < text.size() && in_token(text[end])) ++end;
    tokens.push_back({at, end - at});
    at = end;
  }
  return tokens;
}

/// Lines with their ends.
std::vector<Piece> lines_of(std::string_view text) {
  std::vector<Piece> lines;
  for (std::size_t at = 0; at < text.size();) {
    auto const newline = text.find('\n', at);
    auto const end = newline == text.npos ? text.size() : newline + 1;
    lines.push_back({at, end - at});
    at = end;
  }
  return lines;
}

/// Parts between commas, braces and line ends: `key: value`, elements of lists.
std::vector<Piece> entries_of(std::string_view text) {
  std::vector<Piece> entries;
  constexpr std::string_view ends = ",{}[]\n";
  for (std::size_t at = 0; at < text.size();) {
    auto const end = std::min(text.find_first_of(ends, at), text.size());
    if (end > at) entries.push_back({at, end - at});
    at = end + 1;
  }
  return entries;
}

bool is_number(std::string_view token) {
  return !token.empty() && (std::isdigit(static_cast<unsigned char>(token[0])) != 0 ||
                            (token.size() > 1 && token[0] == '-' &&
                             std::isdigit(static_cast<unsigned char>(token[1])) != 0));
}

/// A number, or something else of which syntax or language may make much.
std::string edge_value(Choices& choices) {
  static constexpr std::array<std::string_view, 16> numbers = {
      "0",     "1",      "-1",    "2",   "3",   "1.5",  "-0.5",  "0.25",
      "1e400", "1e-400", "1e308", "1e5", "1e9", "1e-9", "-1e30", "99999999999999999999"};
  static constexpr std::array<std::string_view, 30> others = {"nan",
                                                              "inf",
                                                              ".inf",
                                                              ".nan",
                                                              "0x7fffffffffffffff",
                                                              "0o17",
                                                              "017",
                                                              "1_000",
                                                              "1:30",
                                                              "true",
                                                              "no",
                                                              "null",
                                                              "~",
                                                              "''",
                                                              "\"\\u0000\"",
                                                              "[]",
                                                              "{}",
                                                              "[1, 2]",
                                                              "{a: 1}",
                                                              "[[[[1]]]]",
                                                              "|",
                                                              "&a b",
                                                              "*a",
                                                              "!!int 3",
                                                              "a: b",
                                                              "${x}",
                                                              "${1/0}",
                                                              "${2**3}",
                                                              "${9223372036854775807 + 1}",
                                                              "<<: 3"};
  switch (choices.below(6)) {
    case 0:
      return std::string(choices.of(others));
    case 1:
      return std::to_string(choices.of(edge_integers()));
    case 2:
      return std::to_string(choices.below(40));
    default:
      return std::string(choices.of(numbers));
  }
}

void replace(std::string& text, Piece piece, std::string_view by) {
  text.replace(piece.begin, piece.size, by);
}

std::string at(std::string const& text, Piece piece) {
  return text.substr(piece.begin, piece.size);
}

/// Deletes, doubles, repeats or exchanges parts of a text.
void shuffle_pieces(std::string& text, std::vector<Piece> const& pieces, Choices& choices,
                    std::string_view between) {
  if (pieces.empty()) return;
  auto const piece = choices.of(pieces), other = choices.of(pieces);
  auto const words = at(text, piece);
  switch (choices.below(5)) {
    case 0:
      return replace(text, piece, "");
    case 1:
      text.insert(piece.begin, words + std::string(between));
      return;
    case 2: {
      std::string many;
      for (std::size_t i = choices.below(200); i > 0; --i) many += words + std::string(between);
      text.insert(piece.begin, many);
      return;
    }
    case 3:
      text.insert(other.begin, words + std::string(between));
      return;
    default: {
      auto const& first = piece.begin < other.begin ? piece : other;
      auto const& second = piece.begin < other.begin ? other : piece;
      if (first.begin + first.size > second.begin) return;
      auto const early = at(text, first), late = at(text, second);
      replace(text, second, early);
      replace(text, first, late);
    }
  }
}

void change_bytes(std::string& text, Choices& choices) {
  if (text.empty()) return;
  auto const place = choices.below(text.size());
  switch (choices.below(4)) {
    case 0:
      text[place] = static_cast<char>(choices.bits());
      return;
    case 1:
      text.insert(place, 1, static_cast<char>(choices.bits()));
      return;
    case 2:
      text.erase(place, 1 + choices.below(20));
      return;
    default:
      text.resize(place);
  }
}

/// Punctuation in the place of other punctuation.
void change_syntax(std::string& text, Choices& choices) {
  constexpr std::string_view signs = "{}[]:,-#&*!|>'\"%@`?=<.\n\t ";
  auto const place = text.find_first_of(signs, choices.below(text.size()));
  if (place == text.npos) return;
  if (choices.one_in(2))
    text[place] = signs[choices.below(signs.size())];
  else
    text.insert(place, 1, signs[choices.below(signs.size())]);
}

void change_token(std::string& text, Choices& choices) {
  auto const tokens = tokens_of(text);
  if (tokens.empty()) return;
  auto const token = choices.of(tokens);
  switch (choices.below(6)) {
    case 0:
    case 1:
    case 2: {  // the same kind of token, so that syntax seldom breaks
      auto alike = tokens;
      bool const number = is_number(at(text, token));
      std::erase_if(alike, [&](Piece piece) { return is_number(at(text, piece)) != number; });
      return replace(text, token, at(text, choices.of(alike)));
    }
    case 3:
      return replace(text, token, edge_value(choices));
    case 4: {  // misspelt
      auto word = at(text, token);
      word[choices.below(word.size())] = static_cast<char>('a' + choices.below(26));
      return replace(text, token, word);
    }
    default:
      return shuffle_pieces(text, tokens, choices, " ");
  }
}

void change_number(std::string& text, Choices& choices) {
  auto tokens = tokens_of(text);
  std::erase_if(tokens, [&](Piece piece) { return !is_number(at(text, piece)); });
  if (!tokens.empty()) replace(text, choices.of(tokens), edge_value(choices));
}

void change_indentation(std::string& text, Choices& choices) {
  auto const lines = lines_of(text);
  if (lines.empty()) return;
  auto const line = choices.of(lines);
  if (choices.one_in(2))
    text.insert(line.begin, 1 + choices.below(4), ' ');
  else if (line.size > 2)
    text.erase(line.begin, 1 + choices.below(2));
}

/// Puts a value into lists or mappings, one inside the other.
void nest(std::string& text, Choices& choices) {
  auto const entries = entries_of(text);
  if (entries.empty()) return;
  auto const entry = choices.of(entries);
  auto const colon = at(text, entry).find(": ");
  if (colon == std::string::npos) return;
  Piece const value{entry.begin + colon + 2, entry.size - colon - 2};
  auto const depth = choices.one_in(4) ? 1 + choices.below(400) : 1 + choices.below(3);
  bool const list = choices.one_in(2);
  std::string words;
  for (std::size_t i = 0; i < depth; ++i) words += list ? "[" : "{a: ";
  words += at(text, value);
  for (std::size_t i = 0; i < depth; ++i) words += list ? ']' : '}';
  replace(text, value, words);
}

/// Some lines of another text.
void splice(std::string& text, std::span<std::string const> others, Choices& choices) {
  if (others.empty()) return;
  auto const& other = choices.of(others);
  auto const theirs = lines_of(other), ours = lines_of(text);
  if (theirs.empty() || ours.empty()) return;
  auto const first = choices.below(theirs.size());
  auto const last = std::min(theirs.size() - 1, first + choices.below(6));
  auto const words = other.substr(theirs[first].begin,
                                  theirs[last].begin + theirs[last].size - theirs[first].begin);
  text.insert(choices.of(ours).begin, words);
}

}  // namespace

std::string mutated(std::string text, std::span<std::string const> others, Choices& choices) {
  constexpr std::size_t longest = 60000;
  for (std::size_t changes = choices.one_in(2) ? 1 : 1 + choices.below(4);
       changes > 0 && text.size() < longest; --changes)
    switch (choices.below(24)) {
      case 0:
        change_bytes(text, choices);
        break;
      case 1:
        if (!text.empty()) change_syntax(text, choices);
        break;
      case 2:
        change_indentation(text, choices);
        break;
      case 3:
        nest(text, choices);
        break;
      case 4:
        splice(text, others, choices);
        break;
      case 5:
      case 6:
        shuffle_pieces(text, lines_of(text), choices, "");
        break;
      case 7:
      case 8:
        shuffle_pieces(text, entries_of(text), choices, ", ");
        break;
      case 9:
      case 10:
      case 11:
      case 12:
      case 13:
        change_token(text, choices);
        break;
      default:
        change_number(text, choices);
    }
  return text;
}

}  // namespace lbann::testing
