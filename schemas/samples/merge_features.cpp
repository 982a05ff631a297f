// Numbers of a sample, file after file.
#include "schemas/samples/list.hpp"
#include "schemas/samples/numpy_samples.hpp"
#include "schemas/samples/open_samples.hpp"

namespace lbann {

namespace {

class MergedFeatures final : public Samples {
 public:
  /// Adds the samples of `file`; a problem if their number is not that of the files before.
  Result<Success> add(std::string const& file, std::unique_ptr<Samples> part) {
    if (!parts_.empty() && part->count() != count())
      return Problem{"`" + file + "`: it holds " + std::to_string(part->count()) +
                     " samples, the files before it " + std::to_string(count())};
    begins_.push_back(fields_[0].dims[0]);
    fields_[0].dims[0] += elements_of(part->fields()[0].dims);
    parts_.push_back(std::move(part));
    return Success{};
  }

  std::int64_t count() const override { return parts_.front()->count(); }
  std::vector<GivenField> const& fields() const override { return fields_; }
  bool is_costly() const override { return parts_.front()->is_costly(); }

  Result<Success> load(bool checks_all) override {
    for (auto& part : parts_)
      if (auto loaded = part->load(checks_all); !loaded) return loaded;
    return Success{};
  }
  Result<Success> read(std::int64_t index, std::size_t, FieldValues const& values) const override {
    for (std::size_t i = 0; i < parts_.size(); ++i) {
      auto const end = i + 1 < parts_.size() ? begins_[i + 1] : values.count;
      FieldValues const part{static_cast<std::byte*>(values.data) +
                                 begins_[i] * static_cast<std::int64_t>(bytes_of(values.type)),
                             values.type, end - begins_[i]};
      if (auto read = parts_[i]->read(index, 0, part); !read) return read;
    }
    return Success{};
  }
  std::string place(std::int64_t index, std::size_t field) const override {
    return parts_.front()->place(index, field);
  }

 private:
  std::vector<std::unique_ptr<Samples>> parts_;
  std::vector<std::int64_t> begins_;  ///< per part: its first number in a sample
  std::vector<GivenField> fields_ = {{"samples", {0}}};
};

OpenedSamples open_features(data_readers::merge_features const& reader,
                            std::vector<std::string> const& found) {
  auto merged = std::make_unique<MergedFeatures>();
  for (auto const& path : found) {
    auto const open = [&](auto of_one) {
      of_one.data_filename = path;
      return open_samples(of_one, {});
    };
    auto part = reader.format == data_readers::MergedFormat::csv ? open(reader.csv_reader())
                                                                 : open(reader.numpy_reader());
    if (!part) return part.problem();
    if (auto added = merged->add(path, std::move(part).value()); !added) return added.problem();
  }
  return std::unique_ptr<Samples>(std::move(merged));
}

OpenedSamples open_labels(data_readers::merge_features const& reader, std::string const& path) {
  if (reader.format == data_readers::MergedFormat::csv) {
    auto of_labels = reader.csv_of_labels();
    of_labels.data_filename = path;
    auto opened = open_samples(of_labels, {});
    if (opened && opened.value()->fields().size() > 1)
      return Problem{"`" + path + "`: it has more columns than that of the labels"};
    return opened;
  }
  auto array = open_npy_file(path);
  if (!array) return array.problem();
  return numpy_samples(std::move(array).value(), ArrayContent::labels, 1, reader.num_labels);
}

}  // namespace

std::vector<SampleSource> sources_of(data_readers::merge_features const& reader,
                                     OpenContext const& context) {
  std::vector<SampleSource> sources{source_of_files(
      "data_file_pattern", reader.data_filedir,
      context.places.match(reader.data_filedir, reader.data_file_pattern), {"samples"},
      [=](std::vector<std::string> const& found) { return open_features(reader, found); })};
  sources.front().are_parts = true;
  if (!reader.label_filename.empty() && context.wants("labels"))
    sources.push_back(
        source_of_file("label_filename", reader.data_filedir, reader.label_filename, {},
                       [=](std::string const& path) { return open_labels(reader, path); }));
  return sources;
}

}  // namespace lbann
