// Lines, without blanks around them.
#include "schemas/samples/file_list.hpp"

#include "schemas/samples/data_file.hpp"

namespace lbann {

namespace {

class AbsentSamples final : public Samples {
 public:
  AbsentSamples(std::vector<GivenField> fields, Problem problem)
      : fields_(std::move(fields)), problem_(std::move(problem)) {
    for (auto& field : fields_)
      if (field.dims.empty()) field.unknown_because = problem_.message;
  }

  std::int64_t count() const override { return -1; }
  std::vector<GivenField> const& fields() const override { return fields_; }
  Result<Success> load(bool) override { return problem_; }
  Result<Success> read(std::int64_t, std::size_t, FieldValues const&) const override {
    return problem_;
  }

 private:
  std::vector<GivenField> fields_;
  Problem problem_;
};

}  // namespace

Result<FileList> FileList::read(std::string const& path) {
  auto const file = DataFile::open(path);
  if (!file) return file.problem();
  auto const whole = file.value().text();
  if (!whole) return whole.problem();
  auto const& text = whole.value();
  FileList list{path, {}, {}, {}};
  constexpr std::string_view blanks = " \t\r";
  std::int64_t number = 0;
  for (std::size_t begin = 0; begin < text.size();) {
    auto const end = std::min(text.find('\n', begin), text.size());
    auto line = std::string_view(text).substr(begin, end - begin);
    ++number;
    begin = end + 1;
    line.remove_prefix(std::min(line.find_first_not_of(blanks), line.size()));
    line = line.substr(0, line.find_last_not_of(blanks) + 1);
    if (line.find('\0') != line.npos)
      return Problem{"`" + path + "`:" + std::to_string(number) +
                     ": it is no text; a name of a file was expected in each line"};
    if (!line.empty()) list.files.push_back({std::string(line), number});
  }
  if (list.files.empty()) return file.value().problem("it names no file");
  return list;
}

Result<std::string> FileList::find(std::size_t file, DataPlaces const& places) const {
  if (!local_folder.empty())
    if (auto local = places.find_file(path_in(local_folder, files[file].name))) return local;
  auto place = places.find_file(path(file));
  if (place) return place;
  return Problem{"`" + name + "`:" + std::to_string(files[file].line) + ": " +
                 place.problem().message};
}

Result<std::vector<std::string>> FileList::find_all(DataPlaces const& places) const {
  std::vector<std::string> found;
  for (std::size_t file = 0; file < files.size(); ++file) {
    auto place = find(file, places);
    if (!place) return place.problem();
    found.push_back(std::move(place).value());
  }
  return found;
}

std::unique_ptr<Samples> absent_samples(std::vector<data_readers::GivenField> fields,
                                        Problem problem) {
  return std::make_unique<AbsentSamples>(std::move(fields), std::move(problem));
}

}  // namespace lbann
