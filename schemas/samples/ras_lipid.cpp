// Frames of each file, some of them as one sample.
#include <algorithm>
#include <array>
#include <charconv>

#include "schemas/samples/file_list.hpp"
#include "schemas/samples/list.hpp"
#include "schemas/samples/npz_archive.hpp"
#include "schemas/vocabulary/shape.hpp"

namespace lbann {

namespace {

/// What is taken off the density of a kind of lipids, and what it is divided by then.
struct Change {
  double less = 0, over = 1;
};

struct RasFile {
  NpyFile densities, states;
};

class RasSamples final : public Samples {
 public:
  RasSamples(data_readers::ras_lipid const& reader, std::vector<Change> changes)
      : reader_(reader), fields_(reader.gives()), changes_(std::move(changes)) {}

  std::int64_t count() const override { return ends_.empty() ? 0 : ends_.back(); }
  std::vector<GivenField> const& fields() const override { return fields_; }

  /// Adds the samples of a file; its frames must look like those before.
  Result<Success> add(RasFile file) {
    auto const& densities = file.densities;
    std::vector<std::int64_t> const frame(densities.dims.begin() + 1, densities.dims.end());
    auto const frames = densities.dims[0];
    if (file.states.numbers != frames)
      return file.states.file.problem("it holds " + std::to_string(file.states.numbers) +
                                      " states, there are densities of " + std::to_string(frames) +
                                      " frames");
    if (files_.empty()) {
      frame_ = frame;
      if (!changes_.empty() && (frame.empty() || frame.back() != std::ssize(changes_)))
        return densities.file.problem("its frames are " + to_text(Shape(frame)) + ", but `" +
                                      reader_.normalization + "` has lines for " +
                                      std::to_string(changes_.size()) + " kinds of lipids");
      fields_[0].dims = frame;
      if (reader_.sequence_length > 1)
        fields_[0].dims.insert(fields_[0].dims.begin(), reader_.sequence_length);
      if (auto good = check_sample_dims(fields_[0].dims); !good)
        return densities.file.problem(good.problem().message);
    } else if (frame != frame_) {
      return densities.file.problem("its frames are " + to_text(Shape(frame)) +
                                    ", those of the files before " + to_text(Shape(frame_)));
    }
    ends_.push_back(count() + frames / reader_.sequence_length);
    files_.push_back(std::move(file));
    return Success{};
  }

  Result<Success> load(bool checks_all) override {
    for (auto& [densities, states] : files_) {
      if (auto loaded = densities.load(checks_all); !loaded) return loaded;
      if (auto loaded = states.load(checks_all); !loaded) return loaded;
    }
    return Success{};
  }

  Result<Success> read(std::int64_t index, std::size_t field,
                       FieldValues const& values) const override {
    auto const number =
        static_cast<std::size_t>(std::ranges::upper_bound(ends_, index) - ends_.begin());
    auto const& file = files_[number];
    auto const first = (index - (number > 0 ? ends_[number - 1] : 0)) * reader_.sequence_length;
    if (field == 1) return read_states(file.states, first, values);
    auto const begin = first * elements_of(frame_);
    auto const kinds = std::ssize(changes_);
    return file.densities.each(begin, values.count, [&](std::int64_t i, double density) {
      if (kinds > 0) {
        auto const [less, over] = changes_[static_cast<std::size_t>(i % kinds)];
        density = (density - less) / over;
      }
      values.set(i, density);
    });
  }

  std::string place(std::int64_t index, std::size_t field) const override {
    auto const& file =
        files_[static_cast<std::size_t>(std::ranges::upper_bound(ends_, index) - ends_.begin())];
    return "`" + (field == 1 ? file.states : file.densities).file.name() + "`";
  }

 private:
  Result<Success> read_states(NpyFile const& states, std::int64_t first,
                              FieldValues const& values) const {
    auto const classes = reader_.num_labels;
    for (std::int64_t i = 0; i < values.count; ++i) values.set(i, 0);
    double wrong = 0;
    std::int64_t bad = -1;
    auto read = states.each(first, reader_.sequence_length, [&](std::int64_t frame, double state) {
      if (is_label(state, classes)) {
        values.set(frame * classes + static_cast<std::int64_t>(state), 1);
      } else {
        bad = first + frame;
        wrong = state;
      }
    });
    if (!read) return read;
    if (bad >= 0) return states.file.problem(bad_label(wrong, classes, bad).message);
    return Success{};
  }

  data_readers::ras_lipid reader_;
  std::vector<GivenField> fields_;
  std::vector<Change> changes_;  ///< by the last axis of a frame; empty: none
  std::vector<std::int64_t> frame_;
  std::vector<RasFile> files_;
  std::vector<std::int64_t> ends_;  ///< per file: samples up to its end
};

Result<NpyFile> find_array(NpzArchive const& archive, std::string const& name) {
  auto array = archive.array(name);
  if (!array) return array.problem();
  if (!array.value()) return archive.file().problem("it holds no array `" + name + "`");
  if (array.value()->dims.empty())
    return array.value()->file.problem("it holds a single number, not one for each frame");
  return *std::move(array).value();
}

Result<RasFile> open_ras_file(std::string const& path) {
  auto const archive = NpzArchive::open(path);
  if (!archive) return archive.problem();
  auto densities = find_array(archive.value(), "density_sig1");
  if (!densities) return densities.problem();
  auto states = find_array(archive.value(), "states");
  if (!states) return states.problem();
  return RasFile{std::move(densities).value(), std::move(states).value()};
}

/// Maximum, minimum, mean and deviation in each line but the first.
Result<std::vector<Change>> read_changes(data_readers::ras_lipid const& reader,
                                         std::string const& path) {
  auto const lines = FileList::read(path);
  if (!lines) return lines.problem();
  std::vector<Change> changes;
  for (auto const& [text, number] : lines.value().files) {
    if (number == 1) continue;
    std::array<double, 4> numbers{};
    auto const* at = text.data();
    auto const* const end = at + text.size();
    std::size_t found = 0;
    for (; found < numbers.size(); ++found) {
      while (at != end && (*at == ' ' || *at == '\t')) ++at;
      auto const [next, error] = std::from_chars(at, end, numbers[found]);
      if (error != std::errc{}) break;
      at = next;
    }
    auto const [most, least, mean, deviation] = numbers;
    Change const change = reader.z_score ? Change{mean, deviation} : Change{least, most - least};
    if (found < numbers.size() || at != end || !(change.over > 0))
      return Problem{"`" + path + "`:" + std::to_string(number) +
                     ": maximum, minimum, mean and standard deviation were expected, the maximum "
                     "above the minimum and the deviation above 0"};
    changes.push_back(change);
  }
  if (changes.empty())
    return Problem{"`" + path + "`: it has no line for a kind of lipids after the first"};
  return changes;
}

OpenedSamples open_ras(data_readers::ras_lipid const& reader, DataPlaces const& places,
                       std::string const& found) {
  auto const list = FileList::of(reader, found);
  if (!list) return list.problem();
  auto const paths = list.value().find_all(places);
  if (!paths) return absent_samples(reader.gives(), paths.problem());
  std::vector<Change> changes;
  if (!reader.normalization.empty()) {
    auto const path = places.find_file(reader.normalization);
    if (!path) return absent_samples(reader.gives(), path.problem());
    auto read = read_changes(reader, path.value());
    if (!read) return read.problem();
    changes = std::move(read).value();
  }
  auto samples = std::make_unique<RasSamples>(reader, std::move(changes));
  for (auto const& path : paths.value()) {
    auto file = open_ras_file(path);
    if (!file) return file.problem();
    if (auto added = samples->add(std::move(file).value()); !added) return added.problem();
  }
  return std::unique_ptr<Samples>(std::move(samples));
}

}  // namespace

std::vector<SampleSource> sources_of(data_readers::ras_lipid const& reader,
                                     OpenContext const& context) {
  return {source_of_file("data_filename", reader.data_filedir, reader.data_filename, {"samples"},
                         [reader, places = context.places](std::string const& found) {
                           return open_ras(reader, places, found);
                         })};
}

}  // namespace lbann
