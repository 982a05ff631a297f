// Images and labels in IDX files, checked and kept as bytes.
#include "runtime/data/input_file.hpp"
#include "runtime/data/readers.hpp"

namespace lbann::runtime {

namespace {

/// An IDX file of bytes: sizes of its axes, and all values once they are read.
struct Idx {
  InputFile file;
  std::vector<std::int64_t> dims;
  std::vector<std::uint8_t> values;
};

/// Format: two zero bytes, 8 for unsigned bytes, the number of axes; their sizes as big-endian
/// 32-bit numbers; the values.
Result<Idx> open_idx(std::string const& path, std::size_t rank) {
  auto opened = InputFile::open(path);
  if (!opened) return opened.problem();
  auto& file = opened.value();
  auto magic = file.read(4);
  if (!magic) return magic.problem();
  auto const& m = magic.value();
  if (m[0] != 0 || m[1] != 0) return file.problem("this is not an IDX file");
  if (m[2] != 8)
    return file.problem("an IDX file of bytes was expected, this one has another type");
  if (m[3] != rank)
    return file.problem("an IDX file of " + std::to_string(rank) +
                        " axes was expected, this one has " + std::to_string(m[3]));
  auto header = file.read(static_cast<std::int64_t>(4 * rank));
  if (!header) return header.problem();
  Idx idx{std::move(file), {}, {}};
  for (std::size_t axis = 0; axis < rank; ++axis) {
    std::int64_t size = 0;
    for (std::size_t i = 0; i < 4; ++i) size = size << 8 | header.value()[4 * axis + i];
    idx.dims.push_back(size);
  }
  return idx;
}

Result<Success> read_values(Idx& idx) {
  // Those of one sample, too, which a file of none announces without holding any.
  auto const of_a_sample = checked_product(std::span(idx.dims).subspan(1));
  auto const count = checked_product(idx.dims);
  if (!of_a_sample || !count) return idx.file.problem("its sizes are impossible");
  auto values = idx.file.read(*count);
  if (!values) return values.problem();
  idx.values = std::move(values.value());
  auto const end = idx.file.at_end();
  if (!end) return end.problem();
  if (!end.value()) return idx.file.problem("it is longer than its header says");
  return Success{};
}

class MnistSamples final : public Samples {
 public:
  MnistSamples(data_readers::mnist const& reader, Idx images, Idx labels)
      : fields_{{"samples", {1, images.dims[1], images.dims[2]}}, {"labels", {reader.num_labels}}},
        pixels_(images.dims[1] * images.dims[2]),
        images_(std::move(images.values)),
        labels_(std::move(labels.values)) {
    for (std::size_t byte = 0; byte < table_.size(); ++byte)
      table_[byte] = static_cast<double>(byte) * reader.scale;
  }

  std::int64_t count() const override { return static_cast<std::int64_t>(labels_.size()); }
  std::vector<GivenField> const& fields() const override { return fields_; }

  Result<Success> read(std::int64_t index, std::size_t field,
                       FieldValues const& values) const override {
    if (field == 0) {
      auto const* image = images_.data() + index * pixels_;
      for (std::int64_t i = 0; i < pixels_; ++i) values.set(i, table_[image[i]]);
    } else {
      set_one_hot(values, labels_[static_cast<std::size_t>(index)]);
    }
    return Success{};
  }

 private:
  std::vector<GivenField> fields_;
  std::int64_t pixels_;
  std::vector<std::uint8_t> images_, labels_;
  std::array<double, 256> table_;  ///< value of every byte
};

}  // namespace

OpenedSamples open_samples(data_readers::mnist const& reader, Lookup const& lookup) {
  auto const image_path = lookup.find(reader.data_filedir, reader.data_filename);
  if (!image_path) return image_path.problem();
  auto const label_path = lookup.find(reader.data_filedir, reader.label_filename);
  if (!label_path) return label_path.problem();
  auto images = open_idx(image_path.value(), 3);
  if (!images) return images.problem();
  auto labels = open_idx(label_path.value(), 1);
  if (!labels) return labels.problem();
  if (images.value().dims[0] != labels.value().dims[0])
    return Problem{"`" + image_path.value() + "` holds " + std::to_string(images.value().dims[0]) +
                   " images, `" + label_path.value() + "` " +
                   std::to_string(labels.value().dims[0]) + " labels"};
  // Headers that agree first: what is packed may unpack to all memory there is.
  for (auto* idx : {&labels.value(), &images.value()})
    if (auto read = read_values(*idx); !read) return read.problem();
  for (std::size_t i = 0; i < labels.value().values.size(); ++i)
    if (labels.value().values[i] >= reader.num_labels)
      return Problem{
          "`" + label_path.value() + "`: " +
          bad_label(labels.value().values[i], reader.num_labels, static_cast<std::int64_t>(i))
              .message};
  return std::shared_ptr<Samples const>(
      std::make_shared<MnistSamples>(reader, std::move(images).value(), std::move(labels).value()));
}

}  // namespace lbann::runtime
