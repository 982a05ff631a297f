// Files without a header, read through: lines, records, characters.
#include <zlib.h>

#include <algorithm>
#include <memory>
#include <string_view>
#include <unordered_set>

#include "compiler/experiment/probe.hpp"
#include "schemas/data_formats/csv_table.hpp"
#include "schemas/data_formats/text_lines.hpp"
#include "schemas/data_formats/utf8.hpp"
#include "schemas/files/regular_file.hpp"

namespace lbann::compiler {

namespace {

/// Calls `visit` with all bytes of a file, unpacked if it is gzip, piece by piece, until it gives
/// false.
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
    if (!visit(std::string_view(piece).substr(0, static_cast<std::size_t>(got)))) return Success{};
  }
}

}  // namespace

Result<FileHeader> probe_csv(std::string const& path, data_readers::csv const& reader) {
  if (auto const conflict = reader.conflict()) return Problem{conflict->words};
  CsvTable table(reader, path);
  TextLines lines;
  Result<Success> done = Success{};
  auto const take = [&](std::string_view line, std::size_t) {
    if (auto const taken = table.take(line); !taken) done = taken.problem();
    return done.good();
  };
  auto const read =
      each_piece(path, [&](std::string_view piece) { return lines.take(piece, take); });
  if (!read) return read.problem();
  if (done) lines.end(take);
  if (done) done = table.end();
  if (!done) return done.problem();
  return FileHeader{table.samples(), {table.columns().of_samples}};
}

Result<FileHeader> probe_cifar10(std::string const& path) {
  constexpr std::int64_t record = 1 + 3 * 32 * 32;
  std::int64_t bytes = 0;
  auto const read = each_piece(path, [&](std::string_view piece) {
    bytes += static_cast<std::int64_t>(piece.size());
    return true;
  });
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
    auto const read = each_piece(path, [&](std::string_view piece) {
      text += piece;
      return true;
    });
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
