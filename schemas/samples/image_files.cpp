// A file is opened and decoded whenever its sample is read.
#include "schemas/samples/image_files.hpp"

#include <filesystem>
#include <new>

#include "schemas/samples/data_file.hpp"
#include "schemas/samples/file_staging.hpp"

namespace lbann {

namespace {

class ImageSamples final : public Samples {
 public:
  ImageSamples(data_readers::images const& reader, OpenContext const& context,
               Result<std::string> folder, std::string local_folder, ImageList list,
               std::int64_t classes)
      : channels_(reader.channels),
        scale_(reader.scale),
        decode_(context.decode_image),
        staged_(context.staging),
        folder_(std::move(folder)),
        local_folder_(std::move(local_folder)),
        list_(std::move(list)),
        fields_(reader.gives()) {
    if (classes > 0) fields_[1] = data_readers::given_labels(classes);
  }

  std::int64_t count() const override { return list_.size(); }
  std::vector<GivenField> const& fields() const override { return fields_; }

  /// With `checks_all` every file must be there, so that a run does not end in its first epoch
  /// because of one that is not.
  Result<Success> load(bool checks_all) override {
    if (!folder_) return folder_.problem();
    if (decode_ == nullptr) return Problem{"this program decodes no images"};
    std::error_code error;
    for (std::int64_t i = 0; checks_all && i < count(); ++i)
      if (!std::filesystem::is_regular_file(path(i), error))
        return Problem{"there is no file `" + path(i) + "`, image of sample " + std::to_string(i) +
                       " (the first is 0)"};
    staged_.add(count(), [this](std::int64_t i) { return path(i); });
    return Success{};
  }

  Result<Success> read(std::int64_t index, std::size_t field,
                       FieldValues const& values) const override {
    if (field == 1) {
      auto const label = list_.label(index);
      if (label >= values.count) return bad_label(static_cast<double>(label), values.count);
      set_one_hot(values, label);
      return Success{};
    }
    thread_local SampleValues image;
    if (auto done = read_whole(index, field, image); !done) return done;
    if (static_cast<std::int64_t>(image.values.size()) != values.count)
      return Problem{"it is an image of another size than the plan's samples"};
    for (std::int64_t i = 0; i < values.count; ++i)
      values.set(i, image.values[static_cast<std::size_t>(i)]);
    return Success{};
  }

  Result<Success> read_whole(std::int64_t index, std::size_t field,
                             SampleValues& sample) const override {
    if (field == 1) return Samples::read_whole(index, field, sample);
    thread_local std::vector<std::byte> bytes;
    bytes.clear();
    if (auto read = pack(index, bytes); !read) return read;
    return unpack(bytes, index, field, sample);
  }

  /// The file as it is; labels are in the list.
  Result<Success> pack(std::int64_t index, std::vector<std::byte>& bytes) const override {
    auto const file = open(index);
    if (!file) return file.problem();
    auto const begin = bytes.size();
    try {
      bytes.resize(begin + static_cast<std::size_t>(file.value().size()));
    } catch (std::bad_alloc const&) {
      return file.value().problem("no memory for its bytes");
    }
    return file.value().copy(0, file.value().size(),
                             reinterpret_cast<std::uint8_t*>(bytes.data() + begin));
  }

  Result<Success> unpack(std::span<std::byte const> bytes, std::int64_t index, std::size_t field,
                         SampleValues& sample) const override {
    if (field == 1) return Samples::read_whole(index, field, sample);
    auto const* const begin = reinterpret_cast<std::uint8_t const*>(bytes.data());
    if (auto done = decode_({begin, bytes.size()}, channels_, sample); !done)
      return Problem{place(index, field) + ": " + done.problem().message};
    if (scale_ != 1)
      for (auto& value : sample.values) value *= scale_;
    return Success{};
  }

  std::string place(std::int64_t index, std::size_t) const override {
    return "`" + path(index) + "`";
  }

 private:
  Result<DataFile> open(std::int64_t index) const {
    auto const there = path(index);
    return staged_.open_file(index, there, there);
  }

  std::string path(std::int64_t index) const {
    if (!local_folder_.empty()) {
      auto local = path_in(local_folder_, std::string(list_.path(index)));
      std::error_code error;
      if (std::filesystem::is_regular_file(local, error)) return local;
    }
    auto const& folder = folder_ ? folder_.value() : std::string();
    return path_in(folder == "." ? "" : folder, std::string(list_.path(index)));
  }

  std::int64_t channels_;
  double scale_;
  DecodeImage decode_;
  StagedOpening staged_;
  Result<std::string> folder_;
  std::string local_folder_;  ///< of copies on the node; empty: none
  ImageList list_;
  std::vector<GivenField> fields_;
};

}  // namespace

OpenedSamples open_images(data_readers::images const& reader, OpenContext const& context,
                          Result<std::string> folder, ImageList list, std::int64_t classes) {
  std::string local_folder;
  if (auto const& name = reader.data_local_filedir; !name.empty())
    if (auto found = context.places.find_folder(name)) local_folder = std::move(found).value();
  return opened<ImageSamples>(reader, context, std::move(folder), std::move(local_folder),
                              std::move(list), classes);
}

}  // namespace lbann
