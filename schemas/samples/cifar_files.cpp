// Records read where they lie.
#include "schemas/samples/cifar_files.hpp"

#include <array>

#include "schemas/samples/data_file.hpp"

namespace lbann {

namespace {

constexpr std::int64_t cifar_pixels = 3 * 32 * 32;

/// A file and how many bytes it has unpacked.
struct CifarFile {
  DataFile file;
  std::int64_t bytes = 0;
};

class CifarSamples final : public Samples {
 public:
  CifarSamples(std::vector<CifarFile> files, CifarFormat format, double scale)
      : fields_{{"samples", {3, 32, 32}}, {"labels", {format.classes}}},
        files_(std::move(files)),
        format_(format) {
    for (auto const& file : files_) ends_.push_back(count() + file.bytes / record());
    for (std::size_t byte = 0; byte < table_.size(); ++byte)
      table_[byte] = static_cast<double>(byte) * scale;
  }

  std::int64_t count() const override { return ends_.empty() ? 0 : ends_.back(); }
  std::vector<GivenField> const& fields() const override { return fields_; }

  Result<Success> load(bool) override {
    for (auto& [file, bytes] : files_)
      if (auto loaded = file.load(bytes); !loaded) return loaded;
    return Success{};
  }

  Result<Success> read(std::int64_t index, std::size_t field,
                       FieldValues const& values) const override {
    std::size_t number = 0;
    while (index >= ends_[number]) ++number;
    auto const& file = files_[number].file;
    auto const begin = (index - (number > 0 ? ends_[number - 1] : 0)) * record();
    std::uint8_t buffer[cifar_pixels];
    if (field == 1) {
      auto const place = begin + format_.label;
      auto const label = file.read(place, 1, buffer);
      if (!label) return label.problem();
      if (*label.value() < format_.classes) {
        set_one_hot(values, *label.value());
        return Success{};
      }
      return file.problem("label " + std::to_string(*label.value()) + " in byte " +
                          std::to_string(place) + " is not one of 0 to " +
                          std::to_string(format_.classes - 1));
    }
    auto const image = file.read(begin + format_.labels, cifar_pixels, buffer);
    if (!image) return image.problem();
    for (std::int64_t i = 0; i < cifar_pixels; ++i) values.set(i, table_[image.value()[i]]);
    return Success{};
  }

 private:
  std::int64_t record() const { return format_.labels + cifar_pixels; }

  std::vector<GivenField> fields_;
  std::vector<CifarFile> files_;
  CifarFormat format_;
  std::vector<std::int64_t> ends_;  ///< per file: samples up to its end
  std::array<double, 256> table_;   ///< value of every byte
};

}  // namespace

SampleSource cifar_source(std::string const& folder, std::vector<std::string> const& names,
                          CifarFormat format, double scale) {
  auto source = source_of_files(
      "data_filename", folder, names, {},
      [=](std::vector<std::string> const& found) -> OpenedSamples {
        auto const record = format.labels + cifar_pixels;
        std::vector<CifarFile> files;
        for (auto const& path : found) {
          auto opened = DataFile::open(path);
          if (!opened) return opened.problem();
          auto& file = opened.value();
          auto const bytes = file.unpacked_size();
          if (!bytes) return bytes.problem();
          if (bytes.value() == 0 || bytes.value() % record != 0)
            return file.problem("it has " + std::to_string(bytes.value()) +
                                " bytes, which is no multiple of the " + std::to_string(record) +
                                " of an image and its label; was it copied completely?");
          files.push_back({std::move(file), bytes.value()});
        }
        return opened<CifarSamples>(std::move(files), format, scale);
      });
  source.are_parts = true;
  return source;
}

}  // namespace lbann
