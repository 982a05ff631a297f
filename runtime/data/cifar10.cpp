// Records of a byte of label and 3072 of image, read where they lie.
#include <array>

#include "runtime/data/data_file.hpp"
#include "runtime/data/readers.hpp"

namespace lbann::runtime {

namespace {

constexpr std::int64_t cifar_pixels = 3 * 32 * 32, cifar_record = 1 + cifar_pixels;

class CifarSamples final : public Samples {
 public:
  CifarSamples(std::vector<DataFile> files, double scale) : files_(std::move(files)) {
    for (auto const& file : files_) ends_.push_back(count() + file.size() / cifar_record);
    for (std::size_t byte = 0; byte < table_.size(); ++byte)
      table_[byte] = static_cast<double>(byte) * scale;
  }

  std::int64_t count() const override { return ends_.empty() ? 0 : ends_.back(); }
  std::vector<GivenField> const& fields() const override { return fields_; }

  Result<Success> read(std::int64_t index, std::size_t field,
                       FieldValues const& values) const override {
    std::size_t number = 0;
    while (index >= ends_[number]) ++number;
    auto const& file = files_[number];
    auto const begin = (index - (number > 0 ? ends_[number - 1] : 0)) * cifar_record;
    std::uint8_t buffer[cifar_pixels];
    if (field == 1) {
      auto const label = file.read(begin, 1, buffer);
      if (!label) return label.problem();
      if (*label.value() < 10) {
        set_one_hot(values, *label.value());
        return Success{};
      }
      return file.problem("label " + std::to_string(*label.value()) + " in byte " +
                          std::to_string(begin) + " is not one of 0 to 9");
    }
    auto const image = file.read(begin + 1, cifar_pixels, buffer);
    if (!image) return image.problem();
    for (std::int64_t i = 0; i < cifar_pixels; ++i) values.set(i, table_[image.value()[i]]);
    return Success{};
  }

 private:
  std::vector<GivenField> fields_ = {{"samples", {3, 32, 32}}, {"labels", {10}}};
  std::vector<DataFile> files_;
  std::vector<std::int64_t> ends_;  ///< per file: samples up to its end
  std::array<double, 256> table_;   ///< value of every byte
};

}  // namespace

OpenedSamples open_samples(data_readers::cifar10 const& reader, Lookup const& lookup) {
  std::vector<DataFile> files;
  for (auto const& name : reader.filenames()) {
    auto const path = lookup.find(reader.data_filedir, name);
    if (!path) return path.problem();
    auto file = DataFile::open(path.value());
    if (!file) return file.problem();
    auto const size = file.value().size();
    if (size == 0 || size % cifar_record != 0)
      return file.value().problem(
          "it has " + std::to_string(size) + " bytes, which is no multiple of the " +
          std::to_string(cifar_record) + " of an image and its label; was it copied completely?");
    files.push_back(std::move(file).value());
  }
  return std::shared_ptr<Samples const>(
      std::make_shared<CifarSamples>(std::move(files), reader.scale));
}

}  // namespace lbann::runtime
