// Files without a header, read through: lines, records, characters.
#include <zlib.h>

#include <algorithm>
#include <memory>
#include <string_view>
#include <unordered_set>

#include "compiler/experiment/probe.hpp"
#include "schemas/data_formats/csv_line.hpp"
#include "schemas/data_formats/utf8.hpp"
#include "schemas/files/regular_file.hpp"

namespace lbann::compiler {

namespace {

/// Calls `visit` with all bytes of a file, unpacked if it is gzip, piece by piece.
template <class Visit>
Result<Success> each_piece(std::string const& path, Visit visit) {
  auto opened = RegularFile::open(path);
  if (!opened) return Problem{"it " + opened.problem().message};
  std::unique_ptr<gzFile_s, int (*)(gzFile)> const file(gzdopen(opened.value().descriptor(), "rb"),
                                                        gzclose);
  if (!file) return Problem{"there is no memory to read it"};
  opened.value().release();  // zlib closes it
  std::string piece(std::size_t{1} << 20, '\0');
  while (true) {
    auto const got = gzread(file.get(), piece.data(), static_cast<unsigned>(piece.size()));
    if (got < 0) return Problem{"it cannot be read"};
    if (got == 0) return Success{};
    visit(std::string_view(piece).substr(0, static_cast<std::size_t>(got)));
  }
}

/// Finds the first line of numbers and counts it and those behind it.
class LineCounter {
 public:
  explicit LineCounter(std::int64_t to_skip) : to_skip_(to_skip) {}

  void take(std::string_view piece) {
    while (!piece.empty()) {
      auto const newline = piece.find('\n');
      auto const part = piece.substr(0, newline);
      if (samples_ == 0) first_ += part;
      empty_ = empty_ && (part.empty() || part == "\r");
      if (newline == piece.npos) return;
      piece.remove_prefix(newline + 1);
      end_line();
    }
  }
  void end_line() {
    bool const counts = to_skip_ <= 0 && !empty_;
    --to_skip_;
    empty_ = true;
    if (counts) ++samples_;
    if (samples_ == 0) first_.clear();
  }
  std::int64_t samples() const { return samples_; }
  std::string_view first() const { return line_at(first_, 0); }

 private:
  std::int64_t to_skip_, samples_ = 0;
  bool empty_ = true;
  std::string first_;
};

}  // namespace

Result<FileHeader> probe_csv(std::string const& path, data_readers::csv const& reader) {
  if (auto const conflict = reader.conflict()) return Problem{conflict->words};
  LineCounter counter(reader.skip_rows + (reader.has_header ? 1 : 0));
  auto const read = each_piece(path, [&](std::string_view piece) { counter.take(piece); });
  if (!read) return read.problem();
  counter.end_line();
  if (counter.samples() == 0) return Problem{"there is no line of numbers before its end"};
  auto const cells = count_cells(counter.first(), reader.separator[0]);
  if (!cells) return Problem{"a quote is not closed in its first line of numbers"};
  auto const columns = static_cast<std::int64_t>(*cells);
  auto const last = [&](std::int64_t column) { return column < 0 ? columns - 1 : column; };
  auto rest = std::max<std::int64_t>(0, columns - reader.skip_cols);
  for (auto const& [disabled, column] :
       {std::pair(reader.disable_labels, last(reader.label_col)),
        std::pair(reader.disable_responses, last(reader.response_col))}) {
    if (disabled) continue;
    if (column >= columns)
      return Problem{"it has " + std::to_string(columns) + " columns, column " +
                     std::to_string(column) + " was asked for (the first is 0)"};
    if (column >= reader.skip_cols) --rest;
  }
  if (rest < 1)
    return Problem{"none of its " + std::to_string(columns) +
                   " columns is left for samples; is the separator another one?"};
  return FileHeader{counter.samples(), {rest}};
}

Result<FileHeader> probe_cifar10(std::string const& path) {
  constexpr std::int64_t record = 1 + 3 * 32 * 32;
  std::int64_t bytes = 0;
  auto const read = each_piece(
      path, [&](std::string_view piece) { bytes += static_cast<std::int64_t>(piece.size()); });
  if (!read) return read.problem();
  if (bytes == 0 || bytes % record != 0)
    return Problem{"it has " + std::to_string(bytes) + " bytes, which is no multiple of the " +
                   std::to_string(record) + " of an image and its label"};
  return FileHeader{bytes / record, {3, 32, 32}};
}

Result<FileHeader> probe_text(std::vector<std::string> const& paths,
                              data_readers::text const& reader) {
  std::int64_t symbols = 0;
  std::unordered_set<char32_t> characters;
  for (auto const& path : paths) {
    std::string text;
    auto const read = each_piece(path, [&](std::string_view piece) { text += piece; });
    if (!read) return read.problem();
    if (reader.symbol == data_readers::TextSymbol::byte) {
      symbols += static_cast<std::int64_t>(text.size());
      continue;
    }
    std::string_view const view = text;
    for (std::size_t at = 0; at < view.size(); ++symbols) {
      auto const character = first_character(view.substr(at));
      if (character.bytes == 0)
        return Problem{"byte " + std::to_string(at) +
                       " is no character of UTF-8; `symbol: byte` reads any bytes"};
      characters.insert(character.code_point);
      at += character.bytes;
    }
  }
  bool const found = reader.symbol == data_readers::TextSymbol::character &&
                     reader.vocabulary.empty() && reader.vocabulary_filenames.empty();
  auto const size = static_cast<std::int64_t>(characters.size());
  if (found && reader.vocabulary_size > 0 && reader.vocabulary_size != size)
    return Problem{"it has " + std::to_string(size) + " different characters, vocabulary_size is " +
                   std::to_string(reader.vocabulary_size)};
  if (symbols <= reader.sequence_length)
    return Problem{"it has " + std::to_string(symbols) +
                   " symbols, a sample and its labels need sequence_length + 1 = " +
                   std::to_string(reader.sequence_length + 1)};
  return FileHeader{(symbols - 1 - reader.sequence_length) / reader.step() + 1,
                    {reader.sequence_length}};
}

}  // namespace lbann::compiler
