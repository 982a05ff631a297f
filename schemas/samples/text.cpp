// Text as numbers of symbols, and windows of it.
#include <algorithm>
#include <unordered_map>

#include "schemas/data_formats/utf8.hpp"
#include "schemas/samples/data_file.hpp"
#include "schemas/samples/list.hpp"

namespace lbann {

namespace {

using TextIds = std::vector<std::uint16_t>;
constexpr std::size_t most_characters = 1 << 16;

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

/// The characters of a text that arrives in pieces, which may be cut within one.
class CharacterStream {
 public:
  /// `name` of the text, for messages.
  explicit CharacterStream(std::string name) : name_(std::move(name)) {}

  /// Calls `visit(code point)` for every character that is complete; the first problem ends it.
  template <class Visit>
  Result<Success> take(std::string_view piece, Visit visit) {
    constexpr std::size_t longest = 4;
    rest_ += piece;
    return decode(rest_.size() < longest ? 0 : rest_.size() - longest + 1, visit);
  }
  /// The same for what is left at the end of the text.
  template <class Visit>
  Result<Success> end(Visit visit) {
    return decode(rest_.size(), visit);
  }

  /// `file:line:column` of the character that is visited, as messages begin with it.
  std::string place() const {
    return "`" + name_ + "`:" + std::to_string(line_) + ":" + std::to_string(column_) + ": ";
  }

 private:
  /// The characters that begin before byte `until` of the rest.
  template <class Visit>
  Result<Success> decode(std::size_t until, Visit& visit) {
    std::size_t at = 0;
    for (std::string_view const text = rest_; at < until;) {
      auto const [point, bytes] = first_character(text.substr(at));
      if (bytes == 0)
        return Problem{place() + "byte " + std::to_string(before_ + at) +
                       " is no character of UTF-8; `symbol: byte` reads any bytes"};
      if (auto good = visit(point); !good) return good;
      at += bytes;
      line_ += point == '\n' ? 1 : 0;
      column_ = point == '\n' ? 1 : column_ + 1;
    }
    before_ += at;
    rest_.erase(0, at);
    return Success{};
  }

  std::string name_, rest_;
  std::size_t before_ = 0;  ///< bytes of the text before `rest_`
  std::int64_t line_ = 1, column_ = 1;
};

/// Calls `visit(code point)` for every character of a file; its problems are put behind the place.
template <class Visit>
Result<Success> each_character(DataFile const& file, Visit visit) {
  CharacterStream characters(file.name());
  Result<Success> done = Success{};
  auto const placed = [&](char32_t point) -> Result<Success> {
    auto good = visit(point);
    return good ? good : Problem{characters.place() + good.problem().message};
  };
  auto read = file.each_piece([&](std::string_view piece) {
    done = characters.take(piece, placed);
    return done.good();
  });
  if (!read) return read;
  return done ? characters.end(placed) : done;
}

Result<std::vector<DataFile>> open_files(std::vector<std::string> const& paths) {
  std::vector<DataFile> files;
  for (auto const& path : paths) {
    auto file = DataFile::open(path);
    if (!file) return file.problem();
    files.push_back(std::move(file).value());
  }
  return files;
}

Result<Success> add_character(Characters& characters, char32_t point) {
  characters.add(point);
  if (characters.size() < most_characters) return Success{};
  return Problem{"more than 65535 different characters"};
}

class TextSamples final : public Samples {
 public:
  TextSamples(data_readers::text const& reader, DataPlaces places, std::vector<DataFile> files)
      : reader_(reader), places_(std::move(places)), files_(std::move(files)) {
    for (auto const& given : reader.gives()) fields_.push_back(given);
  }

  /// Counts symbols, and collects the vocabulary where it is that of the text.
  Result<Success> index() {
    bool const is_vocabulary = reader_.vocabulary.empty() && reader_.vocabulary_filenames.empty();
    for (auto const& file : files_) {
      if (is_bytes()) {
        auto const bytes = file.unpacked_size();
        if (!bytes) return bytes.problem();
        symbols_ += bytes.value();
        continue;
      }
      auto read = each_character(file, [&](char32_t point) -> Result<Success> {
        ++symbols_;
        return is_vocabulary ? add_character(characters_, point) : Success{};
      });
      if (!read) return read;
    }
    characters_.sort();
    if (!is_bytes() && is_vocabulary)
      if (auto good = check_vocabulary(); !good) return good;
    if (symbols_ <= reader_.sequence_length)
      return Problem{"the text has " + std::to_string(symbols_) +
                     " symbols, a sample and its labels need sequence_length + 1 = " +
                     std::to_string(reader_.sequence_length + 1)};
    return Success{};
  }

  std::int64_t count() const override {
    return (symbols_ - 1 - reader_.sequence_length) / reader_.step() + 1;
  }
  std::vector<GivenField> const& fields() const override { return fields_; }

  Result<Success> load(bool) override {
    if (auto made = make_vocabulary(); !made) return made;
    constexpr auto width = static_cast<std::int64_t>(sizeof(TextIds::value_type));
    if (auto fits = check_memory(width * symbols_); !fits)
      return Problem{"the text is too long: " + fits.problem().message};
    ids_.reserve(static_cast<std::size_t>(symbols_));
    for (auto const& file : files_)
      if (auto read = is_bytes() ? load_bytes(file) : load_characters(file); !read) return read;
    if (static_cast<std::int64_t>(ids_.size()) != symbols_)
      return Problem{"the text has changed while it was read"};
    return Success{};
  }

  Result<Success> read(std::int64_t index, std::size_t field,
                       FieldValues const& values) const override {
    auto const* const from =
        ids_.data() + index * reader_.step() + static_cast<std::int64_t>(field);
    for (std::int64_t i = 0; i < values.count; ++i) values.set(i, from[i]);
    return Success{};
  }

  /// The symbols of a sample and of its labels reach into the samples that begin among its last
  /// `sequence_length` ones.
  std::int64_t overlap() const override { return reader_.sequence_length / reader_.step(); }

 private:
  bool is_bytes() const { return reader_.symbol == data_readers::TextSymbol::byte; }

  Result<Success> check_vocabulary() const {
    auto const size = static_cast<std::int64_t>(characters_.size());
    if (reader_.vocabulary_size == 0 || size == reader_.vocabulary_size) return Success{};
    return Problem{"the vocabulary has " + std::to_string(size) +
                   " characters, vocabulary_size is " + std::to_string(reader_.vocabulary_size)};
  }

  /// The vocabulary that is given, or that of other files.
  Result<Success> make_vocabulary() {
    if (is_bytes() || (reader_.vocabulary.empty() && reader_.vocabulary_filenames.empty()))
      return Success{};
    CharacterStream given("vocabulary");
    auto const add = [&](char32_t point) -> Result<Success> {
      if (characters_.add(point)) return Success{};
      return Problem{"the vocabulary holds `" + utf8_text(point) + "` twice"};
    };
    if (auto taken = given.take(reader_.vocabulary, add); !taken) return taken;
    if (auto ended = given.end(add); !ended) return ended;
    std::vector<std::string> paths;
    for (auto const& name : reader_.vocabulary_filenames) {
      auto path = places_.find_file(path_in(reader_.data_filedir, name));
      if (!path) return path.problem();
      paths.push_back(std::move(path).value());
    }
    auto const files = open_files(paths);
    if (!files) return files.problem();
    for (auto const& file : files.value()) {
      auto read =
          each_character(file, [&](char32_t point) { return add_character(characters_, point); });
      if (!read) return read;
    }
    if (reader_.vocabulary.empty()) characters_.sort();
    return check_vocabulary();
  }

  Result<Success> load_bytes(DataFile const& file) {
    return file.each_piece([&](std::string_view piece) {
      for (auto const byte : piece) ids_.push_back(static_cast<unsigned char>(byte));
      return static_cast<std::int64_t>(ids_.size()) <= symbols_;
    });
  }

  Result<Success> load_characters(DataFile const& file) {
    return each_character(file, [&](char32_t point) -> Result<Success> {
      auto const* const number = characters_.find(point);
      if (number == nullptr) return Problem{"`" + utf8_text(point) + "` is not in the vocabulary"};
      ids_.push_back(*number);
      return Success{};
    });
  }

  data_readers::text reader_;
  DataPlaces places_;
  std::vector<DataFile> files_;
  std::vector<GivenField> fields_;
  std::int64_t symbols_ = 0;
  Characters characters_;
  TextIds ids_;
};

}  // namespace

std::vector<SampleSource> sources_of(data_readers::text const& reader, OpenContext const& context) {
  auto source = source_of_files(
      "data_filenames", reader.data_filedir, reader.data_filenames, {},
      [=, places = context.places](std::vector<std::string> const& found) -> OpenedSamples {
        auto files = open_files(found);
        if (!files) return files.problem();
        auto samples = std::make_unique<TextSamples>(reader, places, std::move(files).value());
        if (auto indexed = samples->index(); !indexed) return indexed.problem();
        return std::unique_ptr<Samples>(std::move(samples));
      });
  source.are_parts = true;
  return {source};
}

}  // namespace lbann
