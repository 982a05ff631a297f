// Each dataset of each sample is found by the library once; after that its numbers are read where
// they lie.
#include "schemas/samples/hdf5_records.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <filesystem>
#include <mutex>
#include <optional>

#include "schemas/data_formats/sample_list.hpp"
#include "schemas/samples/file_staging.hpp"
#include "schemas/samples/hdf5_file.hpp"
#include "schemas/samples/sample_list_file.hpp"
#include "schemas/vocabulary/shape.hpp"

namespace lbann {

namespace {

using Dataset = data_readers::hdf5_dataset;

/// Files that stay open at most, by this reader and in the library.
constexpr std::size_t most_open_files = 128, most_in_library = 16;
/// Datasets of samples whose places are kept.
constexpr std::int64_t most_places = std::int64_t{1} << 26;

/// Whether a file begins as HDF5 files do.
bool is_hdf5(std::string const& path) {
  auto const file = DataFile::open(path);
  constexpr std::string_view signature = "\x89HDF\r\n\x1a\n";
  auto const begin = file ? file.value().first(std::ssize(signature)) : file.problem();
  return begin && std::ranges::equal(begin.value(), signature, [](std::uint8_t byte, char wanted) {
           return byte == static_cast<std::uint8_t>(wanted);
         });
}

/// Names of samples of a file: groups at the first depth at which there are as many as the list
/// says.
Result<std::vector<std::string>> sample_names(Hdf5File const& file, std::int64_t count) {
  auto names = file.names("");
  for (int depth = 0; names && depth < 4; ++depth) {
    if (static_cast<std::int64_t>(names.value().size()) == count) return names;
    std::vector<std::string> deeper;
    for (auto const& name : names.value()) {
      auto const inside = file.names(name);
      if (!inside || static_cast<std::int64_t>(deeper.size()) > count) break;
      for (auto const& each : inside.value()) deeper.push_back(name + "/" + each);
    }
    if (deeper.empty()) break;
    names = std::move(deeper);
  }
  return names;
}

class RecordSamples final : public Samples {
 public:
  RecordSamples(RecordTerms const& terms, SampleList list, Result<std::string> folder)
      : datasets_(terms.datasets),
        fields_(terms.fields),
        told_by_(terms.told_by),
        local_folder_(terms.local_folder),
        staged_(terms.staging),
        list_(std::move(list)),
        folder_(std::move(folder)) {}

  std::int64_t count() const override { return list_.size(); }
  std::vector<GivenField> const& fields() const override { return fields_; }
  /// Many small numbers from many places.
  bool is_costly() const override { return true; }

  /// Takes the dims from the first sample, if its file is here.
  Result<Success> open() {
    if (datasets_.empty() || list_.size() == 0 || !folder_ || !is_here(first_file())) {
      if (datasets_.empty()) return Success{};
      auto const why = list_.size() == 0
                           ? "the sample list is empty"
                           : "there is no file `" + path(first_file()) + "` here to tell";
      for (auto& field : fields_)
        if (field.dims.empty()) field.unknown_because = why;
      return Success{};
    }
    return take_dims();
  }

  /// Names of the numbers in `group` of the first sample.
  Result<std::vector<std::string>> keys_in(std::string const& group) const {
    if (!folder_) return folder_.problem();
    if (list_.size() == 0) return Problem{"`" + list_.name() + "`: it names no sample"};
    auto const file = open_conduit_file(path(first_file()));
    if (!file) return file.problem();
    auto const sample = first_sample(file.value());
    if (!sample) return sample.problem();
    return file.value().names_of_numbers(path_of(sample.value(), group));
  }

  Result<Success> load(bool checks_all) override {
    if (datasets_.empty())
      return Problem{"`" + list_.name() +
                     "`: what its files hold was not known when the plan was made; compile the "
                     "experiment again where " +
                     std::string(told_by_)};
    if (!folder_) return folder_.problem();
    for (std::size_t file = 0; file < list_.files().size(); ++file)
      if (checks_all && !is_here(file))
        return listed(file, "there is no file `" + path(file) + "`");
    if (list_.excludes())
      if (auto named = name_samples(); !named) return named;
    if (list_.size() > 0 && expected_.empty())
      if (auto taken = take_dims(); !taken) return taken;
    staged_.add(std::ssize(list_.files()),
                [this](std::int64_t file) { return path(static_cast<std::size_t>(file)); });
    // With copies they are opened whenever they are read: a copy may have come.
    for (std::size_t file = 0;
         !staged_.makes_copies() && file < list_.files().size() && open_.size() < most_open_files;
         ++file) {
      auto opened = DataFile::open(path(file));
      if (!opened) return listed(file, opened.problem().message);
      open_.push_back(std::move(opened).value());
    }
    auto const places = list_.size() * static_cast<std::int64_t>(datasets_.size());
    if (places <= most_places)
      places_ = std::vector<std::atomic<std::int64_t>>(static_cast<std::size_t>(places));
    return Success{};
  }

  Result<Success> read(std::int64_t index, std::size_t field,
                       FieldValues const& values) const override {
    auto const sample = list_.at(index);
    std::int64_t at = 0;
    for (std::size_t i = 0; i < datasets_.size(); ++i) {
      if (datasets_[i].data_field != fields_[field].name) continue;
      auto const array = find(index, sample, i);
      if (!array) return listed(sample.file, array.problem().message);
      auto const count = array.value().numbers();
      if (count > values.count - at)
        return array.value().file.problem("it has more numbers than the plan's samples");
      auto* const to = static_cast<std::byte*>(values.data) +
                       at * static_cast<std::int64_t>(bytes_of(values.type));
      if (auto done = write(array.value(), datasets_[i], {to, values.type, count}); !done)
        return listed(sample.file, done.problem().message);
      at += count;
    }
    return Success{};
  }

  std::string place(std::int64_t index, std::size_t) const override {
    auto const sample = list_.at(index);
    return "`" + path(sample.file) + "[" + sample.name + "]`";
  }

 private:
  std::string path(std::size_t file) const {
    auto const& name = list_.files()[file].name;
    std::error_code error;
    if (auto local = path_in(local_folder_, name);
        !local_folder_.empty() && std::filesystem::is_regular_file(local, error))
      return local;
    return path_in(folder_ ? folder_.value() : list_.folder(), name);
  }
  /// That of the first sample; the list is not empty.
  std::size_t first_file() const {
    auto const found =
        std::ranges::find_if(list_.files(), [](auto const& file) { return file.used > 0; });
    return found == list_.files().end() ? 0
                                        : static_cast<std::size_t>(found - list_.files().begin());
  }
  bool is_here(std::size_t file) const {
    std::error_code error;
    return std::filesystem::is_regular_file(path(file), error);
  }
  /// The problem with the line of the list that it comes from.
  Problem listed(std::size_t file, std::string const& words) const {
    if (list_.name().empty()) return {words};
    return {words + " (`" + list_.name() + "`:" + std::to_string(list_.files()[file].line) + ")"};
  }
  static std::string path_of(SampleList::Sample const& sample, std::string const& path) {
    return sample.name.empty() ? path : sample.name + "/" + path;
  }
  /// Replaces the names of what is left out by those of what is used.
  Result<Success> name_samples() {
    std::vector<std::vector<std::string>> names;
    for (std::size_t file = 0; file < list_.files().size(); ++file) {
      auto const& entry = list_.files()[file];
      auto const opened = open_conduit_file(path(file));
      if (!opened) return listed(file, opened.problem().message);
      auto found = sample_names(opened.value(), entry.used + entry.left_out);
      if (!found) return listed(file, found.problem().message);
      names.push_back(std::move(found).value());
    }
    auto resolved = list_.resolved(names);
    if (!resolved) return resolved.problem();
    list_ = std::move(resolved).value();
    return Success{};
  }

  /// The first sample: that of the list, or the first of its file that is not left out.
  Result<SampleList::Sample> first_sample(Hdf5File const& file) const {
    if (!list_.excludes()) return list_.at(0);
    auto const& entry = list_.files()[first_file()];
    auto const names = sample_names(file, entry.used + entry.left_out);
    if (!names) return names.problem();
    for (auto const& name : names.value())
      if (std::ranges::find(entry.excluded, name) == entry.excluded.end())
        return SampleList::Sample{first_file(), name};
    return Problem{"`" + path(first_file()) + "` has no sample that is not left out"};
  }

  /// Sizes of all datasets, and dims of the fields, from the first sample.
  Result<Success> take_dims() {
    auto const file = open_conduit_file(path(first_file()));
    if (!file) return file.problem();
    auto const sample = first_sample(file.value());
    if (!sample) return sample.problem();
    std::vector<std::int64_t> numbers;
    for (auto const& dataset : datasets_) {
      auto const array = array_in(file.value(), sample.value(), dataset, dataset.numbers());
      if (!array) return array.problem();
      numbers.push_back(array.value().numbers());
      expected_.push_back(array.value().numbers());
      first_.push_back(array.value().number);
    }
    for (auto& field : fields_) {
      std::int64_t flat = 0;
      Dataset const* only = nullptr;
      for (std::size_t i = 0; i < datasets_.size(); ++i) {
        if (datasets_[i].data_field != field.name) continue;
        flat += numbers[i];
        only = &datasets_[i];
      }
      field.dims = {flat};
      if (!only->packed && only->channels > 0 && !only->dims.empty()) {
        field.dims = only->dims;
        field.dims.insert(field.dims.begin(), only->channels);
      }
    }
    return Success{};
  }

  /// `expected`: numbers that there must be, 0 if that is not known.
  static Result<Success> check(Hdf5Array const& array, Dataset const& dataset,
                               std::int64_t expected) {
    auto const numbers = array.numbers();
    if (numbers < 1) return array.file.problem("it holds no numbers");
    if (expected > 0 && numbers != expected)
      return array.file.problem("it holds " + to_text(Shape(array.dims)) + ", " +
                                std::to_string(expected) + " numbers were expected");
    if (dataset.channels > 0 && numbers % dataset.channels != 0)
      return array.file.problem("its " + std::to_string(numbers) +
                                " numbers are no multiple of the " +
                                std::to_string(dataset.channels) + " channels");
    return Success{};
  }

  /// A dataset of a sample, not loaded. Of a simulation that failed it is often not there.
  static Result<Hdf5Array> array_in(Hdf5File const& file, SampleList::Sample const& sample,
                                    Dataset const& dataset, std::int64_t expected) {
    auto array = file.array(path_of(sample, dataset.path));
    auto const fits = array ? check(array.value(), dataset, expected) : array.problem();
    if (fits) return array;
    auto const success = file.number(path_of(sample, std::string(success_flag)));
    if (!success || success.value() != 0) return fits.problem();
    return Problem{fits.problem().message + "; its simulation failed, `" +
                   std::string(success_flag) + "` is 0: leave it out"};
  }

  /// Dataset number `i` of a sample, ready to be read.
  Result<Hdf5Array> find(std::int64_t index, SampleList::Sample const& sample,
                         std::size_t i) const {
    // 0: not known yet; else the byte after which the numbers begin.
    auto* const known = places_.empty()
                            ? nullptr
                            : &places_[static_cast<std::size_t>(index) * datasets_.size() + i];
    if (auto const place = known == nullptr ? 0 : known->load(std::memory_order_relaxed);
        place > 0) {
      auto const file = open(sample.file);
      if (!file) return file.problem();
      return Hdf5Array{{expected_[i]}, first_[i], file.value(), place - 1, {}, {}};
    }
    auto const opened = in_library(sample.file);
    if (!opened) return opened.problem();
    auto array = array_in(opened.value(), sample, datasets_[i], expected_[i]);
    if (!array) return array;
    if (auto found = opened.value().find_chunks(path_of(sample, datasets_[i].path), array.value());
        !found)
      return found.problem();
    if (auto loaded = array.value().load(); !loaded) return loaded.problem();
    if (known != nullptr && array.value().begin >= 0 && array.value().number == first_[i])
      known->store(array.value().begin + 1, std::memory_order_relaxed);
    return array;
  }

  Result<DataFile> open(std::size_t file) const {
    if (file < open_.size()) return open_[file];
    auto const there = path(file);
    return staged_.open_file(static_cast<std::int64_t>(file), there, there);
  }

  /// A file as the library has it, opened now or lately.
  Result<Hdf5File> in_library(std::size_t file) const {
    std::lock_guard const lock(mutex_);
    auto const found = std::ranges::find(lately_, file, &Lately::file);
    if (found != lately_.end()) return found->opened;
    auto opened = staged_.open(static_cast<std::int64_t>(file), path(file), open_conduit_file);
    if (!opened) return opened;
    if (lately_.size() == most_in_library) lately_.erase(lately_.begin());
    lately_.push_back({file, opened.value()});
    return opened;
  }

  static Result<Success> write(Hdf5Array const& array, Dataset const& dataset,
                               FieldValues const& values) {
    if (dataset.changes_nothing()) return array.read(0, array.rows(), values);
    auto const channels = std::max<std::int64_t>(dataset.channels, 1);
    auto const plane = values.count / channels;
    auto const of_channel = [](std::vector<double> const& list, std::int64_t channel,
                               double unsaid) {
      return list.empty() ? unsaid : list[list.size() == 1 ? 0 : static_cast<std::size_t>(channel)];
    };
    return array.each(0, array.rows(), [&](std::int64_t at, std::span<double const> numbers) {
      for (std::size_t i = 0; i < numbers.size(); ++i) {
        auto const from = at + static_cast<std::int64_t>(i);
        auto const channel = dataset.channels_last ? from % channels : from / plane;
        auto value = numbers[i];
        if (dataset.rounding == data_readers::Rounding::whole) value = std::trunc(value);
        if (dataset.rounding == data_readers::Rounding::single) value = static_cast<float>(value);
        value =
            value * of_channel(dataset.scale, channel, 1) + of_channel(dataset.bias, channel, 0);
        values.set(dataset.to_channels_first ? channel * plane + from / channels : from, value);
      }
    });
  }

  struct Lately {
    std::size_t file;
    Hdf5File opened;
  };

  std::vector<Dataset> datasets_;
  std::vector<GivenField> fields_;
  std::string_view told_by_;
  std::string local_folder_;
  StagedOpening staged_;
  SampleList list_;
  Result<std::string> folder_;
  std::vector<std::int64_t> expected_;  ///< per dataset: numbers of a sample
  std::vector<Hdf5Number> first_;       ///< per dataset: their type in the first sample
  std::vector<DataFile> open_;          ///< the first files
  /// Per sample and dataset, where they are not too many.
  mutable std::vector<std::atomic<std::int64_t>> places_;
  mutable std::mutex mutex_;
  mutable std::vector<Lately> lately_;
};

/// The samples that the list at `found` names, in files of `folder`, or of the list's if it is
/// empty.
OpenedSamples open_listed(RecordTerms const& terms, std::string const& folder,
                          DataPlaces const& places, std::string const& found) {
  auto list = read_sample_list(found);
  if (!list) return list.problem();
  auto const files = places.find_folder(folder.empty() ? list.value().folder() : folder);
  return open_records(terms, std::move(list).value(), files);
}

}  // namespace

Result<Hdf5File> open_conduit_file(std::string const& path) {
  auto opened = Hdf5File::open(path);
  if (opened || is_hdf5(path)) return opened;
  // Conduit writes bundles of bytes, JSON and Silo as well.
  return Problem{opened.problem().message +
                 "; of what Conduit writes only HDF5 is read: `conduit.relay.io.save(node, path, "
                 "\"hdf5\")` makes it of the rest"};
}

OpenedSamples open_records(RecordTerms const& terms, SampleList list, Result<std::string> folder) {
  auto samples = std::make_unique<RecordSamples>(terms, std::move(list), std::move(folder));
  if (auto opened = samples->open(); !opened) return opened.problem();
  return std::unique_ptr<Samples>(std::move(samples));
}

SampleSource records_of(data_readers::hdf5_records const& reader, RecordTerms const& terms,
                        OpenContext const& context) {
  std::vector<std::string> tells;
  for (auto const& field : terms.fields) tells.push_back(field.name);
  auto source = source_of_file(
      "sample_list", {}, sample_list_path(reader, context.trainer), std::move(tells),
      [terms, folder = reader.data_filedir, places = context.places](std::string const& found) {
        return open_listed(terms, folder, places, found);
      });
  source.told_by = "the files of `" + source.name + "` hold samples of";
  return source;
}

Result<std::vector<std::string>> keys_of_first_sample(SampleSource const& source,
                                                      DataPlaces const& places,
                                                      std::string const& group) {
  std::vector<std::string> found;
  for (auto const& path : source.paths) {
    auto place = source.find(path, places);
    if (!place) return place.problem();
    found.push_back(std::move(place).value());
  }
  auto const opened = source.open(found);
  if (!opened) return opened.problem();
  auto const* records = dynamic_cast<RecordSamples const*>(opened.value().get());
  if (records != nullptr) return records->keys_in(group);
  // Files that a list names are not here.
  auto const loaded = opened.value()->load(false);
  return loaded ? Problem{"`" + source.name + "`: its samples are no groups"} : loaded.problem();
}

}  // namespace lbann
