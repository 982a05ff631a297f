// Vocabularies of SMILES, good and bad.
#include "schemas/data_formats/smiles_vocabulary.hpp"

#include <doctest/doctest.h>

#include <string>

using namespace lbann;

namespace {

std::string vocabulary_problem(std::string_view text) {
  auto const read = SmilesVocabulary::parse(text);
  return read ? "" : read.problem().message;
}

}  // namespace

TEST_CASE("a vocabulary gives numbers of characters and signs") {
  auto const read = SmilesVocabulary::parse(
      "C 7\r\n\n# 0\n \t( 65535 \nCl 9\n<unk> 4\n<pad> 1\n<eos> 3\n<bos> 2");
  if (!read) FAIL(read.problem().message);
  auto const& vocabulary = read.value();
  CHECK(vocabulary.number('C') == 7);
  CHECK(vocabulary.number('#') == 0);
  CHECK(vocabulary.number('(') == 65535);
  for (char const unknown : {'c', 'l', '\0', '\xff'}) CHECK(vocabulary.number(unknown) == 4);
  CHECK(vocabulary.pad == 1);
  CHECK(vocabulary.begin == 2);
  CHECK(vocabulary.end == 3);
}

TEST_CASE("a vocabulary names line and column of every mistake") {
  std::string const signs = "<pad> 0\n<unk> 1\n<bos> 2\n<eos> 3\n";
  CHECK(vocabulary_problem(signs) == "");
  for (auto const* word : {"", "x", "-1", "1x", "65536", "1.5", "99999999999"})
    CHECK(vocabulary_problem(signs + "C " + word) ==
          ":5:3: behind the token a number from 0 to 65535 was expected");
  CHECK(vocabulary_problem(signs + "C 1 2") ==
        ":5:1: a line holds a token and its number, no more");
  CHECK(vocabulary_problem(signs + "C 1\nC 1") == ":6:1: the token `C` stands here twice");
  CHECK(vocabulary_problem(signs + "<pad> 9") == ":5:1: the token `<pad>` stands here twice");
  CHECK(vocabulary_problem("") == ":0:1: the vocabulary ends without the token `<pad>`");
  CHECK(vocabulary_problem(signs.substr(0, signs.size() - 8)) ==
        ":3:1: the vocabulary ends without the token `<eos>`");
}
