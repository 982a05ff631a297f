// Each file is opened as its sample is read.
#include <array>
#include <filesystem>

#include "schemas/samples/file_list.hpp"
#include "schemas/samples/list.hpp"
#include "schemas/samples/npz_archive.hpp"
#include "schemas/samples/numpy_samples.hpp"
#include "schemas/vocabulary/shape.hpp"

namespace lbann {

namespace {

/// The arrays of a file, by the fields that they give.
constexpr std::array<std::pair<std::string_view, std::string_view>, 3> arrays = {
    {{"samples", "data"}, {"labels", "frm"}, {"responses", "responses"}}};

class NpzFileSamples final : public Samples {
 public:
  NpzFileSamples(data_readers::numpy_npz_conduit_reader const& reader, FileList list,
                 DataPlaces places)
      : reader_(reader), list_(std::move(list)), places_(std::move(places)) {}

  std::int64_t count() const override { return std::ssize(list_.files); }
  std::vector<GivenField> const& fields() const override { return fields_; }
  bool is_costly() const override { return true; }

  /// Takes the fields from the first file.
  Result<Success> open(std::string const& path, OpenContext const& context) {
    for (std::size_t i = 0; i < arrays.size(); ++i) {
      auto const& [field, name] = arrays[i];
      if (i > 0 && !context.wants(field)) continue;
      auto const array = open_array(path, i);
      if (!array) return array.problem();
      if (array.value() != nullptr)
        fields_.push_back(array.value()->fields().front());
      else if (i == 0 || context.wanted)
        return Problem{"`" + path + "`: it holds no array `" + std::string(name) + "`"};
    }
    return Success{};
  }

  Result<Success> load(bool checks_all) override {
    for (std::size_t file = 0; checks_all && file < list_.files.size(); ++file)
      if (auto const place = list_.find(file, places_); !place) return place.problem();
    return Success{};
  }

  Result<Success> read(std::int64_t index, std::size_t field,
                       FieldValues const& values) const override {
    auto const path = list_.find(static_cast<std::size_t>(index), places_);
    if (!path) return path.problem();
    auto const& given = fields_[field];
    auto const which =
        std::ranges::find(arrays, given.name, [](auto const& each) { return each.first; }) -
        arrays.begin();
    auto const array = open_array(path.value(), static_cast<std::size_t>(which));
    if (!array) return listed(index, array.problem());
    if (array.value() == nullptr)
      return listed(index, {"`" + path.value() + "`: it holds no array `" +
                            std::string(arrays[static_cast<std::size_t>(which)].second) + "`"});
    auto const& dims = array.value()->fields().front().dims;
    if (dims != given.dims)
      return listed(
          index, {"`" + path.value() + "`: its `" + given.name + "` are " + to_text(Shape(dims)) +
                  ", those of the first file " + to_text(Shape(given.dims))});
    if (auto loaded = array.value()->load(false); !loaded) return listed(index, loaded.problem());
    if (auto done = array.value()->read(0, 0, values); !done) return listed(index, done.problem());
    return Success{};
  }

  std::string place(std::int64_t index, std::size_t) const override {
    return "`" + list_.path(static_cast<std::size_t>(index)) + "`";
  }

 private:
  /// An array as the samples of a field; null if there is none.
  OpenedSamples open_array(std::string const& path, std::size_t which) const {
    auto const archive = NpzArchive::open(path);
    if (!archive) return archive.problem();
    auto array = archive.value().array(arrays[which].second);
    if (!array) return array.problem();
    if (!array.value()) return std::unique_ptr<Samples>();
    auto const file = array.value()->file;
    bool const scaled = which == 0 && array.value()->number == NpyNumber::i2;
    auto samples = numpy_samples(*std::move(array).value(),
                                 which == 1 ? ArrayContent::labels : ArrayContent::samples,
                                 scaled ? reader_.scaling_factor_int16 : 1, reader_.num_labels,
                                 std::string(arrays[which].first));
    if (samples && samples.value()->count() != 1)
      return file.problem("it holds " + std::to_string(samples.value()->count()) +
                          " samples, its first axis must be 1: one for each file");
    return samples;
  }

  /// The problem with the line of the list that it comes from.
  Problem listed(std::int64_t index, Problem const& problem) const {
    return {problem.message + " (`" + list_.name +
            "`:" + std::to_string(list_.files[static_cast<std::size_t>(index)].line) + ")"};
  }

  data_readers::numpy_npz_conduit_reader reader_;
  FileList list_;
  DataPlaces places_;
  std::vector<GivenField> fields_;
};

}  // namespace

std::vector<SampleSource> sources_of(data_readers::numpy_npz_conduit_reader const& reader,
                                     OpenContext const& context) {
  return {source_of_file("data_filename", reader.data_filedir, reader.data_filename,
                         {"samples", "responses"}, [=](std::string const& found) -> OpenedSamples {
                           auto list = FileList::of(reader, found);
                           if (!list) return list.problem();
                           auto const first = list.value().find(0, context.places);
                           if (!first) return absent_samples(reader.gives(), first.problem());
                           auto samples = std::make_unique<NpzFileSamples>(
                               reader, std::move(list).value(), context.places);
                           if (auto opened = samples->open(first.value(), context); !opened)
                             return opened.problem();
                           return std::unique_ptr<Samples>(std::move(samples));
                         })};
}

}  // namespace lbann
