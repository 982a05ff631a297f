// Characters looked up in the vocabulary when a molecule is asked for.
#include <algorithm>

#include "schemas/data_formats/smiles_vocabulary.hpp"
#include "schemas/samples/list.hpp"
#include "schemas/samples/molecule_places.hpp"
#include "schemas/samples/sample_list_file.hpp"

namespace lbann {

namespace {

constexpr std::int64_t longest_vocabulary = 1 << 20;  // bytes

Result<SmilesVocabulary> read_vocabulary(std::string const& path) {
  auto const file = DataFile::open(path);
  if (!file) return file.problem();
  auto const bytes = file.value().first(longest_vocabulary);
  if (!bytes) return bytes.problem();
  auto vocabulary = SmilesVocabulary::parse(
      {reinterpret_cast<char const*>(bytes.value().data()), bytes.value().size()});
  if (!vocabulary) return Problem{"`" + file.value().name() + "`" + vocabulary.problem().message};
  return vocabulary;
}

class SmilesSamples final : public Samples {
 public:
  SmilesSamples(data_readers::smiles const& reader, SmilesVocabulary vocabulary,
                MoleculeFiles molecules)
      : reader_(reader), vocabulary_(vocabulary), molecules_(std::move(molecules)) {
    fields_.push_back({"samples", reader.gives()[0].dims});
  }

  std::int64_t count() const override { return std::ssize(molecules_.places); }
  std::vector<GivenField> const& fields() const override { return fields_; }

  Result<Success> load(bool) override {
    for (std::size_t i = 0; i < molecules_.files.size(); ++i)
      if (auto loaded = molecules_.files[i].load(molecules_.bytes[i]); !loaded) return loaded;
    return Success{};
  }

  Result<Success> read(std::int64_t index, std::size_t, FieldValues const& values) const override {
    auto const& place = molecules_.places[static_cast<std::size_t>(index)];
    std::uint8_t buffer[longest_molecule];
    auto const bytes = file(place).read(place.begin, place.length, buffer);
    if (!bytes) return bytes.problem();
    std::string_view const text(reinterpret_cast<char const*>(bytes.value()),
                                static_cast<std::size_t>(place.length));
    auto const molecule = text.substr(
        0, static_cast<std::size_t>(std::ranges::find_if(text, ends_molecule) - text.begin()));
    if (by_metadata())
      if (auto good = check(place, std::ssize(molecule)); !good) return good;
    auto const longest = values.count - 2;  // characters
    if (std::ssize(molecule) > longest && !reader_.cut_long_molecules)
      return Problem{this->place(index, 0) + ": " + too_long(std::ssize(molecule), longest)};
    auto const length = std::min(std::ssize(molecule), longest);
    values.set(0, vocabulary_.begin);
    for (std::int64_t i = 0; i < length; ++i)
      values.set(i + 1, vocabulary_.number(molecule[static_cast<std::size_t>(i)]));
    values.set(length + 1, vocabulary_.end);
    for (auto i = length + 2; i < values.count; ++i) values.set(i, vocabulary_.pad);
    return Success{};
  }

  std::string place(std::int64_t index, std::size_t) const override {
    auto const& place = molecules_.places[static_cast<std::size_t>(index)];
    return "`" + file(place).name() + "`: byte " + std::to_string(place.begin);
  }

 private:
  DataFile const& file(MoleculePlace const& place) const {
    return molecules_.files[static_cast<std::size_t>(place.file)];
  }
  bool by_metadata() const { return !reader_.metadata_filename.empty(); }

  /// Whether a place of metadata holds a whole molecule of this length, which fits.
  Result<Success> check(MoleculePlace const& place, std::int64_t length) const {
    auto const problem = [&](std::string const& what) {
      return file(place).problem("the molecule in byte " + std::to_string(place.begin) + " " +
                                 what);
    };
    std::uint8_t byte = 0;
    auto const at = [&](std::int64_t where) -> Result<char> {
      auto const read = file(place).read(where, 1, &byte);
      if (!read) return read.problem();
      return static_cast<char>(*read.value());
    };
    if (length == 0) return problem("is empty");
    if (place.begin > 0) {
      auto const before = at(place.begin - 1);
      if (!before) return before.problem();
      if (before.value() != '\n')
        return problem("does not begin a line; are these the places of another file?");
    }
    auto const end = place.begin + place.length;
    if (length == place.length && end < molecules_.bytes[static_cast<std::size_t>(place.file)]) {
      auto const behind = at(end);
      if (!behind) return behind.problem();
      if (!ends_molecule(behind.value()))
        return problem("goes on behind its length; are these the places of another file?");
    }
    return Success{};
  }

  data_readers::smiles reader_;
  SmilesVocabulary vocabulary_;
  MoleculeFiles molecules_;
  std::vector<GivenField> fields_;
};

}  // namespace

std::vector<SampleSource> sources_of(data_readers::smiles const& reader,
                                     OpenContext const& context) {
  bool const by_metadata = !reader.metadata_filename.empty();
  bool const by_list = !reader.sample_list.empty();
  auto const inside = [&](std::string const& file) { return path_in(reader.data_filedir, file); };
  // A sample list is not looked up in `data_filedir`, which is that of the files it names.
  std::vector<std::string> files = {
      by_list ? sample_list_path(reader, context.trainer)
              : inside(by_metadata ? reader.metadata_filename : reader.data_filename)};
  if (!reader.vocab.empty()) files.push_back(inside(reader.vocab));
  if (by_list && by_metadata) files.push_back(inside(reader.metadata_filename));
  auto const field = by_list ? "sample_list" : by_metadata ? "metadata_filename" : "data_filename";
  return {source_of_files(
      field, {}, files, {},
      [=, places = context.places](std::vector<std::string> const& found) -> OpenedSamples {
        if (reader.vocab.empty())
          return Problem{
              "`vocab`, the file of the vocabulary, is not given; LBANN takes it from its command "
              "line"};
        auto const vocabulary = read_vocabulary(found[1]);
        if (!vocabulary) return vocabulary.problem();
        auto const listed = [&]() -> Result<MoleculeFiles> {
          auto const list = read_sample_list(found[0]);
          if (!list) return list.problem();
          return molecules_of_list(reader, list.value(), by_metadata ? found[2] : "", places);
        };
        auto molecules = by_list       ? listed()
                         : by_metadata ? molecules_by_metadata(reader, found[0], places)
                                       : molecules_in_text(reader, found[0]);
        if (!molecules) return molecules.problem();
        return opened<SmilesSamples>(reader, vocabulary.value(), std::move(molecules).value());
      })};
}

}  // namespace lbann
