// Numbers of molecules in files, looked up among all that the files hold.
#include <algorithm>
#include <charconv>

#include "schemas/samples/molecule_places.hpp"

namespace lbann {

namespace {

/// Each file of the list as a text of its own. A file that the list names twice is read once.
Result<MoleculeFiles> molecules_in_texts(data_readers::smiles const& reader, SampleList const& list,
                                         DataPlaces const& places) {
  auto const& folder = reader.data_filedir.empty() ? list.folder() : reader.data_filedir;
  MoleculeFiles all;
  for (auto const& file : list.files()) {
    if (std::ranges::find(all.names, file.name) != all.names.end()) continue;
    auto const found = places.find_file(path_in(folder, file.name));
    if (!found)
      return Problem{"`" + list.name() + "`:" + std::to_string(file.line) + ": " +
                     found.problem().message};
    auto text = molecules_in_text(reader, found.value());
    if (!text) return text;
    for (auto& place : text.value().places) {
      place.file = static_cast<std::int32_t>(all.files.size());
      all.places.push_back(place);
    }
    all.files.push_back(std::move(text.value().files[0]));
    all.names.push_back(file.name);
    all.bytes.push_back(text.value().bytes[0]);
  }
  return all;
}

/// What `list` chooses of `all`, whose places are ordered by their files.
class ListedMolecules {
 public:
  ListedMolecules(SampleList const& list, MoleculeFiles all) : list_(list), all_(std::move(all)) {
    for (std::size_t file = 0; file <= all_.files.size(); ++file)
      begins_.push_back(std::ranges::lower_bound(all_.places, static_cast<std::int32_t>(file), {},
                                                 &MoleculePlace::file) -
                        all_.places.begin());
  }

  Result<MoleculeFiles> choose() {
    for (auto const& file : list_.files()) {
      auto const found = std::ranges::find(all_.names, file.name);
      if (found == all_.names.end())
        return problem(file, "the metadata do not name `" + file.name + "`");
      file_of_.push_back(static_cast<std::size_t>(found - all_.names.begin()));
    }
    if (list_.excludes()) {
      auto included = list_.resolved(numbers());
      if (!included) return included.problem();
      return choose(included.value());
    }
    return choose(list_);
  }

 private:
  std::int64_t count(std::size_t file) const { return begins_[file + 1] - begins_[file]; }

  /// The numbers of all molecules of each file of the list, as words.
  std::vector<std::vector<std::string>> numbers() const {
    std::vector<std::vector<std::string>> numbers;
    for (auto const file : file_of_) {
      auto& of_file = numbers.emplace_back();
      for (std::int64_t i = 0; i < count(file); ++i) of_file.push_back(std::to_string(i));
    }
    return numbers;
  }

  Result<MoleculeFiles> choose(SampleList const& list) {
    std::vector<MoleculePlace> chosen;
    for (std::int64_t i = 0; i < list.size(); ++i) {
      auto const sample = list.at(i);
      auto const file = file_of_[sample.file];
      auto const& word = sample.name;
      std::int64_t number = -1;
      auto const [end, error] = std::from_chars(word.data(), word.data() + word.size(), number);
      if (error != std::errc{} || end != word.data() + word.size() || number < 0 ||
          number >= count(file))
        return problem(list_.files()[sample.file],
                       "`" + word + "` is no molecule of `" + all_.names[file] + "`, which has " +
                           std::to_string(count(file)) + ", counted from 0");
      chosen.push_back(all_.places[static_cast<std::size_t>(begins_[file] + number)]);
    }
    all_.places = std::move(chosen);
    return std::move(all_);
  }

  Problem problem(SampleList::File const& file, std::string const& what) const {
    return {"`" + list_.name() + "`:" + std::to_string(file.line) + ": " + what};
  }

  SampleList const& list_;
  MoleculeFiles all_;
  std::vector<std::ptrdiff_t> begins_;  ///< per file of `all_`: its first place; and the end
  std::vector<std::size_t> file_of_;    ///< of `all_`, per file of the list
};

}  // namespace

Result<MoleculeFiles> molecules_of_list(data_readers::smiles const& reader, SampleList const& list,
                                        std::string const& metadata, DataPlaces const& places) {
  if (list.one_per_file())
    return Problem{"`" + list.name() +
                   "`:1: a file of molecules has many samples; the list says which in one of the "
                   "formats `MULTI-SAMPLE_INCLUSION`, `MULTI-SAMPLE_INCLUSION_V2` and "
                   "`MULTI-SAMPLE_EXCLUSION`"};
  auto all = metadata.empty() ? molecules_in_texts(reader, list, places)
                              : molecules_by_metadata(reader, metadata, places);
  if (!all) return all;
  auto chosen = ListedMolecules(list, std::move(all).value()).choose();
  if (chosen && chosen.value().places.empty())
    return Problem{"`" + list.name() + "`: it lists no molecule"};
  return chosen;
}

}  // namespace lbann
