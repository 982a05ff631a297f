// Text as numbers of symbols, and windows of it.
#include <algorithm>
#include <unordered_map>

#include "runtime/data/data_file.hpp"
#include "runtime/data/readers.hpp"
#include "schemas/data_formats/utf8.hpp"

namespace lbann::runtime {

namespace {

using TextIds = std::vector<std::uint16_t>;
constexpr std::size_t most_characters = 1 << 16;

class TextSamples final : public Samples {
 public:
  TextSamples(data_readers::text const& reader, TextIds ids)
      : length_(reader.sequence_length), step_(reader.step()), ids_(std::move(ids)) {
    for (auto const& given : reader.gives()) fields_.push_back({given.name, given.dims});
  }

  std::int64_t count() const override {
    auto const beyond = static_cast<std::int64_t>(ids_.size()) - 1 - length_;
    return beyond < 0 ? 0 : beyond / step_ + 1;
  }
  std::vector<GivenField> const& fields() const override { return fields_; }

  Result<Success> read(std::int64_t index, std::size_t field,
                       FieldValues const& values) const override {
    auto const* const from = ids_.data() + index * step_ + static_cast<std::int64_t>(field);
    for (std::int64_t i = 0; i < values.count; ++i) values.set(i, from[i]);
    return Success{};
  }

  /// The `length_` + 1 symbols of a sample reach into those that begin among its last `length_`.
  std::int64_t overlap() const override { return length_ / step_; }

 private:
  std::int64_t length_, step_;
  TextIds ids_;
  std::vector<GivenField> fields_;
};

/// A file's name and all of its text.
struct TextFile {
  std::string name;
  std::vector<std::uint8_t> bytes;

  std::string_view text() const {
    return {reinterpret_cast<char const*>(bytes.data()), bytes.size()};
  }
};

Result<std::vector<TextFile>> read_text_files(std::string const& folder,
                                              std::vector<std::string> const& names,
                                              Lookup const& lookup) {
  std::vector<TextFile> files;
  for (auto const& name : names) {
    auto const path = lookup.find(folder, name);
    if (!path) return path.problem();
    auto const file = DataFile::open(path.value());
    if (!file) return file.problem();
    auto bytes = file.value().bytes(0, file.value().size());
    if (!bytes) return bytes.problem();
    files.push_back({path.value(), std::move(bytes).value()});
  }
  return files;
}

/// Line and column of a byte, as `file:line:column`.
std::string place_in(TextFile const& file, std::size_t byte) {
  auto const before = file.text().substr(0, byte);
  auto const line = 1 + std::ranges::count(before, '\n');
  auto const newline = before.rfind('\n');
  auto const begin = newline == before.npos ? 0 : newline + 1;
  std::size_t column = 1;
  for (auto at = begin; at < byte; ++at) column += (before[at] & 0xc0) != 0x80 ? 1u : 0u;
  return "`" + file.name + "`:" + std::to_string(line) + ":" + std::to_string(column) + ": ";
}

/// Calls `visit(code point, byte)` for every character; the first problem ends it.
template <class Visit>
Result<Success> each_character(TextFile const& file, Visit visit) {
  auto const text = file.text();
  for (std::size_t at = 0; at < text.size();) {
    auto const character = first_character(text.substr(at));
    if (character.bytes == 0)
      return Problem{place_in(file, at) + "byte " + std::to_string(at) +
                     " is no character of UTF-8; `symbol: byte` reads any bytes"};
    if (auto good = visit(character.code_point, at); !good) return good;
    at += character.bytes;
  }
  return Success{};
}

/// Characters and their numbers.
class Characters {
 public:
  bool add(char32_t point) {
    return numbers_.try_emplace(point, static_cast<std::uint16_t>(numbers_.size())).second;
  }
  /// Numbers in order of code points.
  void sort() {
    std::vector<char32_t> points;
    for (auto const& [point, number] : numbers_) points.push_back(point);
    std::ranges::sort(points);
    numbers_.clear();
    for (auto const point : points) add(point);
  }
  std::size_t size() const { return numbers_.size(); }
  std::uint16_t const* find(char32_t point) const {
    auto const found = numbers_.find(point);
    return found == numbers_.end() ? nullptr : &found->second;
  }

 private:
  std::unordered_map<char32_t, std::uint16_t> numbers_;
};

Result<Characters> make_vocabulary(data_readers::text const& reader,
                                   std::vector<TextFile> const& data, Lookup const& lookup) {
  Characters characters;
  if (!reader.vocabulary.empty()) {
    TextFile const given{"vocabulary", {reader.vocabulary.begin(), reader.vocabulary.end()}};
    auto const read = each_character(given, [&](char32_t point, std::size_t) -> Result<Success> {
      if (characters.add(point)) return Success{};
      return Problem{"the vocabulary holds `" + utf8_text(point) + "` twice"};
    });
    if (!read) return read.problem();
  } else {
    auto const others = read_text_files(reader.data_filedir, reader.vocabulary_filenames, lookup);
    if (!others) return others.problem();
    for (auto const& file : others.value().empty() ? data : others.value()) {
      auto const read = each_character(file, [&](char32_t point, std::size_t) -> Result<Success> {
        characters.add(point);
        if (characters.size() < most_characters) return Success{};
        return Problem{"`" + file.name + "`: more than 65535 different characters"};
      });
      if (!read) return read.problem();
    }
    characters.sort();
  }
  auto const size = static_cast<std::int64_t>(characters.size());
  if (reader.vocabulary_size > 0 && size != reader.vocabulary_size)
    return Problem{"the vocabulary has " + std::to_string(size) +
                   " characters, vocabulary_size is " + std::to_string(reader.vocabulary_size)};
  return characters;
}

Result<TextIds> character_ids(data_readers::text const& reader, std::vector<TextFile> const& data,
                              Lookup const& lookup) {
  auto const vocabulary = make_vocabulary(reader, data, lookup);
  if (!vocabulary) return vocabulary.problem();
  TextIds ids;
  for (auto const& file : data) {
    auto const read =
        each_character(file, [&](char32_t point, std::size_t byte) -> Result<Success> {
          auto const* const number = vocabulary.value().find(point);
          if (number == nullptr)
            return Problem{place_in(file, byte) + "`" + utf8_text(point) +
                           "` is not in the vocabulary"};
          ids.push_back(*number);
          return Success{};
        });
    if (!read) return read.problem();
  }
  return ids;
}

}  // namespace

OpenedSamples open_samples(data_readers::text const& reader, Lookup const& lookup) {
  if (auto const conflict = reader.conflict()) return Problem{conflict->words};
  auto const data = read_text_files(reader.data_filedir, reader.data_filenames, lookup);
  if (!data) return data.problem();
  TextIds ids;
  if (reader.symbol == data_readers::TextSymbol::byte) {
    for (auto const& file : data.value())
      ids.insert(ids.end(), file.bytes.begin(), file.bytes.end());
  } else {
    auto numbers = character_ids(reader, data.value(), lookup);
    if (!numbers) return numbers.problem();
    ids = std::move(numbers).value();
  }
  auto const symbols = static_cast<std::int64_t>(ids.size());
  if (symbols <= reader.sequence_length)
    return Problem{"the text has " + std::to_string(symbols) +
                   " symbols, a sample and its labels need sequence_length + 1 = " +
                   std::to_string(reader.sequence_length + 1)};
  return std::shared_ptr<Samples const>(std::make_shared<TextSamples>(reader, std::move(ids)));
}

}  // namespace lbann::runtime
