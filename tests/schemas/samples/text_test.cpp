// Text as numbers of characters or bytes, in windows.
#include "tests/schemas/samples/file_case.hpp"

using namespace lbann;

namespace {

struct TextCase : tests::FileCase<data_readers::text> {
  explicit TextCase(std::string const& text) : FileCase("a.txt", text) {
    reader.data_filenames = {"a.txt"};
    reader.sequence_length = 3;
  }
};

using Ids = std::vector<float>;

Ids ids(Samples const& samples, std::int64_t index, std::size_t field) {
  Ids values(3);
  REQUIRE(samples.read(index, field, {values.data(), DataType::f32, 3}).good());
  return values;
}

}  // namespace

TEST_CASE("text gives windows, and what follows each of their symbols") {
  TextCase c("caabbc\xc3\xa4");  // a b c and one character of two bytes: 0 1 2 3
  auto samples = c.open();
  CHECK(samples->count() == 2);
  CHECK(ids(*samples, 0, 0) == Ids{2, 0, 0});
  CHECK(ids(*samples, 0, 1) == Ids{0, 0, 1});
  CHECK(ids(*samples, 1, 0) == Ids{1, 1, 2});
  CHECK(ids(*samples, 1, 1) == Ids{1, 2, 3});
  CHECK(samples->overlap() == 1);

  c.reader.stride = 1;
  samples = c.open();
  CHECK(samples->count() == 4);
  CHECK(ids(*samples, 1, 0) == Ids{0, 0, 1});
  CHECK(samples->overlap() == 3);

  c.reader.symbol = data_readers::TextSymbol::byte;
  samples = c.open();
  CHECK(samples->count() == 5);
  CHECK(ids(*samples, 4, 1) == Ids{'c', 0xc3, 0xa4});
}

TEST_CASE("a vocabulary is given, found in other files, or found") {
  TextCase c("abab");
  c.reader.vocabulary = "zba";
  CHECK(ids(*c.open(), 0, 0) == Ids{2, 1, 2});
  c.reader.vocabulary.clear();
  c.folder.write_text("b.txt", "0a1b");
  c.reader.vocabulary_filenames = {"b.txt"};
  c.reader.vocabulary_size = 4;
  CHECK(ids(*c.open(), 0, 0) == Ids{2, 3, 2});
  c.reader.vocabulary_filenames = {};
  CHECK(c.problem() == "the vocabulary has 2 characters, vocabulary_size is 4");
}

TEST_CASE("text names the place of what it cannot read") {
  TextCase c("ab\nc\xc3\xa4x");
  c.reader.vocabulary = "abc\n\xc3\xa4";
  CHECK(c.problem() == "`a.txt`:2:3: `x` is not in the vocabulary");
  c.reader.vocabulary = "aba";
  CHECK(c.problem() == "the vocabulary holds `a` twice");
  CHECK(TextCase("abc\n\xff").problem() ==
        "`a.txt`:2:1: byte 4 is no character of UTF-8; `symbol: byte` reads any bytes");
  CHECK(TextCase("abc").problem() ==
        "the text has 3 symbols, a sample and its labels need sequence_length + 1 = 4");
  c.reader.symbol = data_readers::TextSymbol::byte;
  CHECK(c.problem() == "bytes need no vocabulary: their number is their value");
}
