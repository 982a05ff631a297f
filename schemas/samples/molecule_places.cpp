// Lines of a text, or places that a file of metadata names.
#include "schemas/samples/molecule_places.hpp"

#include <algorithm>
#include <charconv>

#include "schemas/data_formats/csv_records.hpp"

namespace lbann {

namespace {

constexpr std::size_t longest_smiles_line = std::size_t{1} << 24;
constexpr std::int64_t place_bytes = 8 + 2;  // of a file of places

/// Takes the records of one file.
class TextMolecules {
 public:
  TextMolecules(data_readers::smiles const& reader, std::string name)
      : reader_(reader), name_(std::move(name)) {}

  Result<Success> take(CsvRecord const& record, std::vector<MoleculePlace>& places) {
    if (record.text.find_first_not_of(" \t") == record.text.npos) return Success{};
    CsvCells cells(record.text, ',');
    if (!header_taken_ && (reader_.has_header || !reader_.column.empty())) return header(record);
    auto cell = cells.next();
    for (std::int64_t i = 0; i < column_ && cell; ++i) cell = cells.next();
    if (cells.is_open()) return problem(record, cells.place(), "a quote is not closed");
    if (!cell)
      return problem(record, record.text.size(), "the line has no column `" + reader_.column + "`");
    auto const length = std::ranges::find_if(*cell, ends_molecule) - cell->begin();
    auto const begin = static_cast<std::size_t>(cell->data() - record.text.data());
    if (length == 0) return problem(record, begin, "there is no molecule");
    if (auto const longest = reader_.sequence_length;
        longest > 0 && length > longest && !reader_.cut_long_molecules)
      return problem(record, begin, too_long(length, longest));
    places.push_back({static_cast<std::int64_t>(record.begin + begin),
                      static_cast<std::int32_t>(std::min(length, longest_molecule)), 0});
    return Success{};
  }

  Problem problem(CsvRecord const& record, std::size_t byte, std::string const& what) const {
    return {"`" + name_ + "`:" + std::to_string(record.line) + ":" + std::to_string(byte + 1) +
            ": " + what};
  }

 private:
  Result<Success> header(CsvRecord const& record) {
    header_taken_ = true;
    if (reader_.column.empty()) return Success{};
    CsvCells cells(record.text, ',');
    std::string names;
    for (column_ = 0; cells.next(); ++column_) {
      auto const name = cells.text();
      if (name == reader_.column) return Success{};
      names += (names.empty() ? "" : ", ") + name;
    }
    return problem(
        record, 0,
        "there is no column `" + reader_.column + "`; there are " + names.substr(0, 200));
  }

  data_readers::smiles const& reader_;
  std::string name_;
  bool header_taken_ = false;
  std::int64_t column_ = 0;
};

/// A line of metadata.
struct MetadataLine {
  std::int64_t count = 0;
  std::string molecules, places;
};

Result<std::vector<MetadataLine>> read_metadata(DataFile const& file) {
  std::vector<MetadataLine> lines;
  std::int64_t number = 0;
  Result<Success> done = Success{};
  auto const take = [&](std::string_view line, std::size_t) {
    ++number;
    std::vector<std::string> words;
    for (auto rest = line; !rest.empty();) {
      rest.remove_prefix(std::min(rest.find_first_not_of(" \t"), rest.size()));
      if (rest.empty()) break;
      words.emplace_back(rest.substr(0, rest.find_first_of(" \t")));
      rest.remove_prefix(words.back().size());
    }
    if (words.empty() || words[0].starts_with('#')) return true;
    MetadataLine read;
    auto const& count = words[0];
    auto const [end, error] =
        std::from_chars(count.data(), count.data() + count.size(), read.count);
    if (words.size() != 3 || error != std::errc{} || end != count.data() + count.size() ||
        read.count < 0 || read.count > data_readers::most_samples) {
      done = Problem{"`" + file.name() + "`:" + std::to_string(number) +
                     ":1: a number of samples, a file of molecules and one of their places were "
                     "expected"};
      return false;
    }
    read.molecules = words[1];
    read.places = words[2];
    lines.push_back(std::move(read));
    return true;
  };
  TextLines text;
  auto read = file.each_piece([&](std::string_view piece) {
    if (text.take(piece, take) && text.unfinished() > longest_smiles_line)
      done = file.problem("a line is too long; is this a text?");
    return done.good();
  });
  if (!read) return read.problem();
  if (done) text.end(take);
  if (!done) return done.problem();
  if (lines.empty()) return file.problem("it names no file of molecules");
  return lines;
}

/// The places in `path`, of which metadata say that they are `count`.
Result<std::vector<MoleculePlace>> read_places(std::string const& path, std::int64_t count) {
  auto opened = DataFile::open(path);
  if (!opened) return opened.problem();
  auto& file = opened.value();
  auto const size = file.unpacked_size();
  if (!size) return size.problem();
  if (size.value() != count * place_bytes)
    return file.problem("it has " + std::to_string(size.value()) + " bytes, the " +
                        std::to_string(count) + " samples that the metadata promise have " +
                        std::to_string(count * place_bytes));
  std::vector<MoleculePlace> places;
  std::string rest;
  auto read = file.each_piece([&](std::string_view piece) {
    rest += piece;
    std::size_t at = 0;
    for (; rest.size() - at >= place_bytes; at += place_bytes) {
      MoleculePlace place;
      std::uint16_t length = 0;
      __builtin_memcpy(&place.begin, rest.data() + at, sizeof(place.begin));
      __builtin_memcpy(&length, rest.data() + at + sizeof(place.begin), sizeof(length));
      place.length = length;
      places.push_back(place);
    }
    rest.erase(0, at);
    return true;
  });
  if (!read) return read.problem();
  return places;
}

}  // namespace

std::string too_long(std::int64_t length, std::int64_t longest) {
  return "the molecule has " + std::to_string(length) + " characters, more than sequence_length " +
         std::to_string(longest) + "; make that longer, or write `cut_long_molecules: true`";
}

Result<MoleculeFiles> molecules_in_text(data_readers::smiles const& reader,
                                        std::string const& path) {
  auto file = DataFile::open(path);
  if (!file) return file.problem();
  MoleculeFiles found{{file.value()}, {path}, {0}, {}};
  TextMolecules text(reader, file.value().name());
  CsvRecords records(',', 0);
  Result<Success> done = Success{};
  auto const take = [&](CsvRecord const& record) {
    done = text.take(record, found.places);
    return done.good();
  };
  auto read = file.value().each_piece([&](std::string_view piece) {
    found.bytes[0] += static_cast<std::int64_t>(piece.size());
    if (records.take(piece, take) && records.unfinished() > longest_smiles_line)
      done = file.value().problem("a line is too long; is this a text?");
    return done.good();
  });
  if (!read) return read.problem();
  if (done) records.end(take);
  if (!done) return done.problem();
  if (found.places.empty()) return file.value().problem("it holds no molecule");
  return found;
}

Result<MoleculeFiles> molecules_by_metadata(data_readers::smiles const& reader,
                                            std::string const& path, DataPlaces const& places) {
  auto const metadata = DataFile::open(path);
  if (!metadata) return metadata.problem();
  auto lines = read_metadata(metadata.value());
  if (!lines) return lines.problem();
  if (reader.max_files_to_load > 0 && std::ssize(lines.value()) > reader.max_files_to_load)
    lines.value().resize(static_cast<std::size_t>(reader.max_files_to_load));
  MoleculeFiles found;
  for (auto const& line : lines.value()) {
    std::string paths[2];
    for (auto const& [name, to] :
         {std::pair{&line.molecules, &paths[0]}, {&line.places, &paths[1]}}) {
      auto place = places.find_file(path_in(reader.data_filedir, *name));
      if (!place) return metadata.value().problem(place.problem().message);
      *to = std::move(place).value();
    }
    auto file = DataFile::open(paths[0]);
    if (!file) return file.problem();
    auto const bytes = file.value().unpacked_size();
    if (!bytes) return bytes.problem();
    auto of_file = read_places(paths[1], line.count);
    if (!of_file) return of_file.problem();
    for (auto& place : of_file.value()) {
      if (place.begin < 0 || place.begin > bytes.value() - place.length)
        return Problem{"`" + paths[1] + "`: molecule " + std::to_string(found.places.size()) +
                       " (the first is 0) lies behind the end of `" + paths[0] + "`"};
      place.file = static_cast<std::int32_t>(found.files.size());
      found.places.push_back(place);
    }
    found.files.push_back(std::move(file).value());
    found.names.push_back(line.molecules);
    found.bytes.push_back(bytes.value());
  }
  if (found.places.empty()) return metadata.value().problem("it holds no molecule");
  return found;
}

}  // namespace lbann
