// Images and labels in IDX files of bytes (http://yann.lecun.com/exdb/mnist).
#include <algorithm>
#include <array>

#include "schemas/samples/data_file.hpp"
#include "schemas/samples/list.hpp"
#include "schemas/vocabulary/shape.hpp"

namespace lbann {

namespace {

/// Two zero bytes, 8 for unsigned bytes, the number of axes; their sizes as big-endian 32-bit
/// numbers; the values.
struct IdxFile {
  DataFile file;
  std::vector<std::int64_t> dims;
  std::int64_t begin = 0, values = 0;  ///< byte at which the values begin, and their number
  std::int64_t samples = 0;            ///< how many are used

  Result<Success> load() { return file.load(begin + values, any_size); }
  std::uint8_t const* at(std::int64_t value) const {
    return file.read(begin + value, 1, nullptr).value();  // which is in memory
  }
};

Result<IdxFile> open_idx(std::string const& path, std::size_t axes, std::int64_t first_n) {
  auto opened = DataFile::open(path);
  if (!opened) return opened.problem();
  auto& file = opened.value();
  auto const begin = static_cast<std::int64_t>(4 + 4 * axes);
  auto const first = file.first(begin);
  if (!first) return first.problem();
  auto const& bytes = first.value();
  constexpr std::array<std::uint8_t, 3> magic = {0, 0, 8};
  if (!std::equal(bytes.begin(), bytes.begin() + std::min<std::ptrdiff_t>(3, std::ssize(bytes)),
                  magic.begin()))
    return file.problem("it does not begin like an IDX file of bytes");
  if (bytes.size() > 3 && bytes[3] != axes)
    return file.problem("an IDX file of " + std::to_string(axes) + (axes == 1 ? " axis" : " axes") +
                        " was expected, this one has " + std::to_string(bytes[3]));
  if (static_cast<std::int64_t>(bytes.size()) < begin)
    return file.problem("it ends after " + std::to_string(bytes.size()) +
                        " bytes, within its header");
  IdxFile idx{std::move(file), {}, begin};
  for (std::size_t axis = 0; axis < axes; ++axis) {
    std::int64_t size = 0;
    for (std::size_t i = 0; i < 4; ++i) size = size << 8 | bytes[4 + 4 * axis + i];
    idx.dims.push_back(size);
  }
  auto const values = checked_product(idx.dims);
  if (auto good = check_sample_dims({idx.dims.begin() + 1, idx.dims.end()}); !good || !values)
    return idx.file.problem(good ? "its sizes are impossible" : good.problem().message);
  idx.values = *values;
  idx.samples = first_n > 0 ? first_n : idx.dims[0];
  if (idx.samples > idx.dims[0])
    return idx.file.problem("it holds " + std::to_string(idx.dims[0]) +
                            " samples, first_n asks for " + std::to_string(first_n));
  return idx;
}

class IdxImages final : public Samples {
 public:
  IdxImages(IdxFile images, double scale)
      : fields_{{"samples", {1, images.dims[1], images.dims[2]}}},
        pixels_(images.dims[1] * images.dims[2]),
        images_(std::move(images)) {
    for (std::size_t byte = 0; byte < table_.size(); ++byte)
      table_[byte] = static_cast<double>(byte) * scale;
  }

  std::int64_t count() const override { return images_.samples; }
  std::vector<GivenField> const& fields() const override { return fields_; }
  Result<Success> load(bool) override { return images_.load(); }

  Result<Success> read(std::int64_t index, std::size_t, FieldValues const& values) const override {
    auto const* const image = images_.at(index * pixels_);
    for (std::int64_t i = 0; i < pixels_; ++i) values.set(i, table_[image[i]]);
    return Success{};
  }

 private:
  std::vector<GivenField> fields_;
  std::int64_t pixels_;
  IdxFile images_;
  std::array<double, 256> table_;  ///< value of every byte
};

class IdxLabels final : public Samples {
 public:
  IdxLabels(IdxFile labels, std::int64_t classes)
      : fields_{{"labels", {classes}}}, classes_(classes), labels_(std::move(labels)) {}

  std::int64_t count() const override { return labels_.samples; }
  std::vector<GivenField> const& fields() const override { return fields_; }

  Result<Success> load(bool) override {
    if (auto loaded = labels_.load(); !loaded) return loaded;
    for (std::int64_t i = 0; i < count(); ++i)
      if (auto const label = *labels_.at(i); label >= classes_)
        return labels_.file.problem(bad_label(label, classes_, i).message);
    return Success{};
  }

  Result<Success> read(std::int64_t index, std::size_t, FieldValues const& values) const override {
    set_one_hot(values, *labels_.at(index));
    return Success{};
  }

 private:
  std::vector<GivenField> fields_;
  std::int64_t classes_;
  IdxFile labels_;
};

}  // namespace

std::vector<SampleSource> sources_of(data_readers::mnist const& reader,
                                     OpenContext const& context) {
  auto const source = [&](std::string field, std::string const& name,
                          std::vector<std::string> tells, std::size_t axes, auto make) {
    return source_of_file(std::move(field), reader.data_filedir, name, std::move(tells),
                          [=, first_n = reader.first_n](std::string const& path) -> OpenedSamples {
                            auto idx = open_idx(path, axes, first_n);
                            if (!idx) return idx.problem();
                            return make(std::move(idx).value());
                          });
  };
  std::vector<SampleSource> sources{source(
      "data_filename", reader.data_filename, {"samples"}, 3,
      [scale = reader.scale](IdxFile idx) { return opened<IdxImages>(std::move(idx), scale); })};
  if (context.wants("labels"))
    sources.push_back(source("label_filename", reader.label_filename, {}, 1,
                             [classes = reader.num_labels](IdxFile idx) {
                               return opened<IdxLabels>(std::move(idx), classes);
                             }));
  return sources;
}

}  // namespace lbann
