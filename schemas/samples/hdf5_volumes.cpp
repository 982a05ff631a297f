// Each dataset is found by the library once; after that its numbers are read where they lie.
#include "schemas/samples/hdf5_volumes.hpp"

#include <algorithm>
#include <atomic>
#include <filesystem>
#include <optional>

#include "schemas/samples/file_staging.hpp"
#include "schemas/samples/hdf5_file.hpp"
#include "schemas/vocabulary/shape.hpp"

namespace lbann {

namespace {

/// What a dataset of the reader is for.
struct Key {
  std::string name;
  std::vector<std::string> fields;  ///< the data fields it gives
  bool is_class = false;            ///< a number, given one-hot
  double factor = 1;                ///< of 16-bit integers
  std::int64_t count = 0;           ///< of its numbers, which are one axis then; 0: as they are
};

/// The datasets, each once for fields that are read alike.
std::vector<Key> keys_of(data_readers::hdf5_volumes const& reader, NamedTexts const& datasets) {
  std::vector<Key> keys;
  for (auto const& [field, names] : datasets.entries) {
    Key key{names.front(), {field}};
    key.is_class = field == "labels" && !reader.hdf5_hyperslab_labels;
    if (field == "samples") key.factor = reader.scaling_factor_int16;
    if (field == "responses") key.count = reader.num_responses;
    auto const same = std::ranges::find_if(keys, [&](Key const& other) {
      return other.name == key.name && other.is_class == key.is_class &&
             other.factor == key.factor && other.count == key.count;
    });
    if (same == keys.end())
      keys.push_back(std::move(key));
    else
      same->fields.push_back(field);
  }
  return keys;
}

std::vector<std::int64_t> sample_dims(Hdf5Array const& array, bool whole) {
  std::vector<std::int64_t> dims(array.dims.begin() + (whole || array.dims.empty() ? 0 : 1),
                                 array.dims.end());
  if (dims.empty()) dims.push_back(1);
  return dims;
}

/// The dims of samples that `array` gives as `key` says; a problem if it cannot.
Result<std::vector<std::int64_t>> checked_dims(Hdf5Array const& array, Key const& key,
                                               data_readers::hdf5_volumes const& reader) {
  if (!reader.one_sample_per_file && array.dims.empty())
    return array.file.problem("it holds a single number, not samples");
  auto const dims = sample_dims(array, reader.one_sample_per_file);
  if (auto good = check_sample_dims(dims); !good) return array.file.problem(good.problem().message);
  if (key.is_class && elements_of(dims) != 1)
    return array.file.problem("it holds samples of " + to_text(Shape(dims)) +
                              ", not class numbers: one label per sample was expected; "
                              "`hdf5_hyperslab_labels` takes them as they are");
  if (key.count > 0) {
    if (elements_of(dims) != key.count)
      return array.file.problem("it holds " + std::to_string(elements_of(dims)) +
                                " responses, `num_responses` is " + std::to_string(key.count));
    return std::vector<std::int64_t>{key.count};
  }
  return dims;
}

/// What datasets have in common, whether a file is a sample or holds many.
class VolumeSamples : public Samples {
 public:
  VolumeSamples(data_readers::hdf5_volumes const& reader, NamedTexts const& datasets,
                std::vector<std::string> paths, FileStaging* staging)
      : reader_(reader),
        paths_(std::move(paths)),
        staged_(staging),
        keys_(keys_of(reader, datasets)) {}

  std::vector<GivenField> const& fields() const override { return fields_; }

 protected:
  void announce_files() {
    staged_.add(std::ssize(paths_),
                [this](std::int64_t file) { return paths_[static_cast<std::size_t>(file)]; });
  }

  /// Takes the fields from the datasets of the first file.
  Result<Success> take_fields(Hdf5File const& file) {
    for (std::size_t key = 0; key < keys_.size(); ++key) {
      auto array = file.array(keys_[key].name);
      if (!array) return array.problem();
      auto dims = checked_dims(array.value(), keys_[key], reader_);
      if (!dims) return dims.problem();
      for (auto const& name : keys_[key].fields) {
        fields_.push_back(keys_[key].is_class ? data_readers::given_labels(reader_.num_labels)
                                              : GivenField{name, dims.value()});
        key_of_.push_back(key);
      }
      first_.push_back(std::move(array).value());
    }
    return Success{};
  }

  /// A problem if a dataset has other dims than that of the first file.
  Result<Success> check_dims(Hdf5Array const& array, std::size_t key) const {
    bool const whole = reader_.one_sample_per_file;
    auto const dims = sample_dims(array, whole), expected = sample_dims(first_[key], whole);
    if (dims == expected) return Success{};
    return array.file.problem("a sample is " + to_text(Shape(dims)) + ", in `" + paths_[0] +
                              "` it is " + to_text(Shape(expected)));
  }

  /// Writes `count` rows from `first` on as `key` says.
  Result<Success> write(Hdf5Array const& array, std::size_t key, std::int64_t first,
                        std::int64_t count, FieldValues const& values) const {
    if (!keys_[key].is_class)
      return array.read(first, count, values,
                        array.number == Hdf5Number{NpyNumber::i2} ||
                                array.number == Hdf5Number{NpyNumber::i2, true}
                            ? keys_[key].factor
                            : 1);
    double label = 0;
    auto done = array.each(
        first, count, [&](std::int64_t, std::span<double const> numbers) { label = numbers[0]; });
    if (!done) return done;
    if (!is_label(label, values.count))
      return array.file.problem(bad_label(label, values.count).message);
    set_one_hot(values, static_cast<std::int64_t>(label));
    return Success{};
  }

  data_readers::hdf5_volumes reader_;
  std::vector<std::string> paths_;
  StagedOpening staged_;
  std::vector<Key> keys_;
  std::vector<Hdf5Array> first_;  ///< per key: the dataset of the first file
  std::vector<GivenField> fields_;
  std::vector<std::size_t> key_of_;  ///< per field
};

/// A file is a sample. It is opened whenever it is read: there may be more files than can be open.
class FilePerSample final : public VolumeSamples {
 public:
  using VolumeSamples::VolumeSamples;

  Result<Success> open() {
    auto const file = Hdf5File::open(paths_[0]);
    if (!file) return file.problem();
    begins_ = std::vector<std::atomic<std::int64_t>>(paths_.size() * keys_.size());
    for (auto& begin : begins_) begin = -1;
    return take_fields(file.value());
  }

  std::int64_t count() const override { return static_cast<std::int64_t>(paths_.size()); }

  Result<Success> load(bool checks_all) override {
    std::error_code error;
    for (auto const& path : paths_)
      if (checks_all && !std::filesystem::is_regular_file(path, error))
        return Problem{"there is no file `" + path + "`"};
    announce_files();
    return Success{};
  }

  Result<Success> read(std::int64_t index, std::size_t field,
                       FieldValues const& values) const override {
    auto const key = key_of_[field];
    auto const& path = paths_[static_cast<std::size_t>(index)];
    auto& known = begins_[static_cast<std::size_t>(index) * keys_.size() + key];
    if (auto const begin = known.load(std::memory_order_relaxed); begin >= 0) {
      auto file = staged_.open_file(index, path, path);
      if (!file) return file.problem();
      auto array = first_[key];
      array.file = std::move(file).value();
      array.begin = begin;
      array.held.reset();
      array.chunks.reset();
      return write(array, key, 0, array.rows(), values);
    }
    auto const array = staged_.open(index, path, [&](std::string const& place) {
      return load_hdf5_array(place, keys_[key].name);
    });
    if (!array) return array.problem();
    if (auto same = check_dims(array.value(), key); !same) return same;
    if (array.value().begin >= 0 && array.value().number == first_[key].number)
      known.store(array.value().begin, std::memory_order_relaxed);
    return write(array.value(), key, 0, array.value().rows(), values);
  }

  std::string place(std::int64_t index, std::size_t field) const override {
    return "`" + paths_[static_cast<std::size_t>(index)] + "[" + keys_[key_of_[field]].name + "]`";
  }

 private:
  /// Per file and key: the byte at which the numbers begin, as soon as that is known.
  mutable std::vector<std::atomic<std::int64_t>> begins_;
};

/// Files whose first axis counts samples, one file after the other. They stay open.
class SamplesAlongAxis final : public VolumeSamples {
 public:
  using VolumeSamples::VolumeSamples;

  Result<Success> open() {
    for (auto const& path : paths_) {
      auto const file = Hdf5File::open(path);
      if (!file) return file.problem();
      if (fields_.empty())
        if (auto taken = take_fields(file.value()); !taken) return taken;
      std::int64_t count = -1;
      for (std::size_t key = 0; key < keys_.size(); ++key) {
        auto array = file.value().array(keys_[key].name);
        if (!array) return array.problem();
        if (auto dims = checked_dims(array.value(), keys_[key], reader_); !dims)
          return dims.problem();
        if (auto same = check_dims(array.value(), key); !same) return same;
        if (count >= 0 && array.value().rows() != count)
          return array.value().file.problem("it holds " + std::to_string(array.value().rows()) +
                                            " samples, `" + keys_[0].name + "` " +
                                            std::to_string(count));
        count = array.value().rows();
        arrays_.push_back(std::move(array).value());
      }
      ends_.push_back(this->count() + count);
    }
    return Success{};
  }

  std::int64_t count() const override { return ends_.empty() ? 0 : ends_.back(); }
  /// Unpacking a chunk gives one sample of it at a time.
  bool is_costly() const override {
    return std::ranges::any_of(arrays_, [](auto const& array) { return array.chunks != nullptr; });
  }

  Result<Success> load(bool) override {
    for (std::size_t i = 0; i < arrays_.size(); ++i) {
      auto& array = arrays_[i];
      if (array.chunks) {
        auto const file = Hdf5File::open(paths_[i / keys_.size()]);
        if (!file) return file.problem();
        auto found = file.value().find_chunks(keys_[i % keys_.size()].name, array);
        if (!found) return found;
      }
      if (auto loaded = array.load(); !loaded) return loaded;
    }
    announce_files();
    return Success{};
  }

  Result<Success> read(std::int64_t index, std::size_t field,
                       FieldValues const& values) const override {
    auto const [file, row] = find(index);
    auto const& array = arrays_[file * keys_.size() + key_of_[field]];
    auto done = staged_.makes_copies() && !array.held
                    ? write_copied(file, array, key_of_[field], row, values)
                    : write(array, key_of_[field], row, 1, values);
    return done ? done
                : Problem{done.problem().message + " (sample " + std::to_string(row) +
                          " of the file, the first is 0)"};
  }

  std::string place(std::int64_t index, std::size_t field) const override {
    auto const [file, row] = find(index);
    return "`" + paths_[file] + "[" + keys_[key_of_[field]].name + "]` sample " +
           std::to_string(row);
  }

 private:
  /// `write` from the copy of the file that may have come by now.
  Result<Success> write_copied(std::size_t file, Hdf5Array const& array, std::size_t key,
                               std::int64_t row, FieldValues const& values) const {
    auto opened =
        staged_.open_file(static_cast<std::int64_t>(file), paths_[file], array.file.name());
    if (!opened) return opened.problem();
    auto copied = array;
    copied.file = std::move(opened).value();
    return write(copied, key, row, 1, values);
  }

  struct Found {
    std::size_t file;
    std::int64_t row;
  };
  Found find(std::int64_t index) const {
    auto const file =
        static_cast<std::size_t>(std::ranges::upper_bound(ends_, index) - ends_.begin());
    return {file, index - (file > 0 ? ends_[file - 1] : 0)};
  }

  std::vector<Hdf5Array> arrays_;   ///< per file and key
  std::vector<std::int64_t> ends_;  ///< per file: samples up to its end
};

template <class T>
OpenedSamples opened_volumes(data_readers::hdf5_volumes const& reader, NamedTexts const& datasets,
                             std::vector<std::string> const& found, FileStaging* staging) {
  auto samples = std::make_unique<T>(reader, datasets, found, staging);
  if (auto opened = samples->open(); !opened) return opened.problem();
  return std::unique_ptr<Samples>(std::move(samples));
}

/// The datasets of the fields that are wanted: others need not be there. The first counts samples
/// where none is.
NamedTexts wanted_datasets(data_readers::hdf5_volumes const& reader, OpenContext const& context) {
  auto datasets = reader.datasets_of_fields();
  auto const first = datasets.entries.front();
  std::erase_if(datasets.entries, [&](auto const& each) { return !context.wants(each.first); });
  if (datasets.empty()) datasets.entries.push_back(first);
  return datasets;
}

}  // namespace

SampleSource volumes_of(data_readers::hdf5_volumes const& reader, OpenContext const& context) {
  std::filesystem::path const pattern(reader.data_file_pattern);
  auto const folder = path_in(reader.data_filedir, pattern.parent_path().string());
  auto const datasets = wanted_datasets(reader, context);
  std::vector<std::string> tells;
  for (auto const& [field, names] : datasets.entries)
    if (field != "labels" || reader.hdf5_hyperslab_labels) tells.push_back(field);
  auto source = source_of_files(
      "data_file_pattern", folder, context.places.match(folder, pattern.filename().string()),
      std::move(tells), [=, staging = context.staging](std::vector<std::string> const& found) {
        return reader.one_sample_per_file
                   ? opened_volumes<FilePerSample>(reader, datasets, found, staging)
                   : opened_volumes<SamplesAlongAxis>(reader, datasets, found, staging);
      });
  source.are_parts = true;
  return source;
}

}  // namespace lbann
