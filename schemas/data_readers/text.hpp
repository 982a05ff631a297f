// Text as sequences of symbols, each to be predicted from those before it.
#pragma once

#include "schemas/data_readers/reader.hpp"

namespace lbann::data_readers {

/// What one number of a sequence stands for.
enum class TextSymbol : std::uint8_t { character, byte };

}  // namespace lbann::data_readers

namespace lbann {

template <>
inline constexpr auto enum_names<data_readers::TextSymbol> =
    std::array<std::string_view, 2>{"character", "byte"};

namespace data_readers {

/// Gives `samples` [sequence_length], numbers of symbols, and `labels` [sequence_length], the
/// numbers of the symbols that follow each. Files are read as one text, one after the other; sample
/// i begins at symbol i * `stride`. Parts for validation are cut off the end of the text, before
/// any shuffle, and share no symbol with training samples.
struct text : reader {
  static constexpr std::string_view name = "text";
  static constexpr std::string_view summary =
      "Sequences of characters, and the character that follows each.";

  std::string data_filedir;
  std::vector<std::string> data_filenames;
  std::int64_t sequence_length = 0;
  std::int64_t stride = 0;
  TextSymbol symbol = TextSymbol::character;
  std::string vocabulary;
  std::vector<std::string> vocabulary_filenames;
  std::int64_t vocabulary_size = 0;

  static constexpr auto fields() {
    return std::tuple_cat(
        common_fields(),
        std::tuple{
            path(field("data_filedir", &text::data_filedir, "Folder of the files.")),
            path(field("data_filenames", &text::data_filenames, "Text files, plain or gzip.",
                       Presence::required)),
            field("sequence_length", &text::sequence_length, "Symbols of one sample.",
                  counted_from_one, Presence::required),
            field("stride", &text::stride,
                  "Symbols from the begin of a sample to that of the next; 0: `sequence_length`.",
                  counted_from_zero),
            field("symbol", &text::symbol,
                  "What one number stands for: a character of UTF-8, or a byte."),
            field("vocabulary", &text::vocabulary,
                  "Characters in the order of their numbers; empty: those in the files, in order "
                  "of code points."),
            path(field(
                "vocabulary_filenames", &text::vocabulary_filenames,
                "Files whose characters make the vocabulary, so that several readers have the "
                "same; empty: `data_filenames`.")),
            field("vocabulary_size", &text::vocabulary_size,
                  "Number of characters the vocabulary must have; 0: any.", counted_from_zero)});
  }

  std::int64_t step() const { return stride > 0 ? stride : sequence_length; }

  std::optional<FieldConflict> conflict() const {
    if (data_filenames.empty())
      return FieldConflict{"data_filenames", "at least one file is needed"};
    if (!vocabulary.empty() && !vocabulary_filenames.empty())
      return FieldConflict{"vocabulary_filenames", "the vocabulary is given already"};
    if (symbol == TextSymbol::byte && (!vocabulary.empty() || !vocabulary_filenames.empty()))
      return FieldConflict{"symbol", "bytes need no vocabulary: their number is their value"};
    if (symbol == TextSymbol::byte && vocabulary_size != 0 && vocabulary_size != 256)
      return FieldConflict{"vocabulary_size", "there are 256 bytes"};
    return std::nullopt;
  }

  std::vector<GivenField> gives() const {
    return {{"samples", {sequence_length}}, {"labels", {sequence_length}}};
  }
  std::int64_t samples() const { return -1; }
};

}  // namespace data_readers
}  // namespace lbann
