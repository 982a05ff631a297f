// Images of 32-bit reals, each in a file of its own.
#include <filesystem>

#include "schemas/samples/data_file.hpp"
#include "schemas/samples/list.hpp"

namespace lbann {

namespace {

namespace fs = std::filesystem;

class MeshSamples final : public Samples {
 public:
  MeshSamples(data_readers::mesh const& reader, std::string folder, std::int64_t count)
      : reader_(reader), fields_(reader.gives()), folder_(std::move(folder)), count_(count) {}

  std::int64_t count() const override { return count_; }
  std::vector<GivenField> const& fields() const override { return fields_; }
  bool is_costly() const override { return true; }

  /// That all files are there.
  Result<Success> load(bool) override {
    for (std::int64_t i = 0; i < count_; ++i) {
      if (auto good = check(reader_.target_name, i); !good) return good;
      for (auto const& channel : reader_.channels)
        if (auto good = check(channel, i); !good) return good;
    }
    return Success{};
  }

  Result<Success> read(std::int64_t index, std::size_t field,
                       FieldValues const& values) const override {
    if (field == 1) return read_channel(reader_.target_name, index, values);
    auto const pixels = reader_.data_height * reader_.data_width;
    auto channel = values;
    channel.count = pixels;
    for (auto const& name : reader_.channels) {
      if (auto read = read_channel(name, index, channel); !read) return read;
      channel.data = static_cast<std::byte*>(channel.data) +
                     pixels * static_cast<std::int64_t>(bytes_of(values.type));
    }
    return Success{};
  }

  std::string place(std::int64_t index, std::size_t field) const override {
    return "`" + path(field == 1 ? reader_.target_name : reader_.channels.front(), index) + "`";
  }

 private:
  std::string path(std::string const& channel, std::int64_t index) const {
    auto number = std::to_string(index);
    auto const digits = static_cast<std::size_t>(reader_.index_length);
    if (number.size() < digits) number.insert(0, digits - number.size(), '0');
    return (fs::path(folder_) / (channel + reader_.suffix) / (channel + number + ".bin")).string();
  }

  Result<Success> check(std::string const& channel, std::int64_t index) const {
    auto const file = path(channel, index);
    std::error_code error;
    auto const size = fs::file_size(file, error);
    auto const wanted = 4 * reader_.data_height * reader_.data_width;
    if (error) return Problem{"`" + file + "`: " + error.message()};
    if (static_cast<std::int64_t>(size) != wanted)
      return Problem{"`" + file + "`: it has " + std::to_string(size) + " bytes, " +
                     std::to_string(reader_.data_height) + " x " +
                     std::to_string(reader_.data_width) + " 32-bit reals have " +
                     std::to_string(wanted)};
    return Success{};
  }

  Result<Success> read_channel(std::string const& channel, std::int64_t index,
                               FieldValues const& values) const {
    auto const file = DataFile::open(path(channel, index));
    if (!file) return file.problem();
    thread_local std::vector<std::uint8_t> bytes;
    bytes.resize(4 * static_cast<std::size_t>(values.count));
    auto read = file.value().copy(0, std::ssize(bytes), bytes.data());
    if (!read) return read;
    for (std::int64_t i = 0; i < values.count; ++i) {
      float value = 0;
      __builtin_memcpy(&value, bytes.data() + 4 * i, sizeof(value));
      values.set(i, value);
    }
    return Success{};
  }

  data_readers::mesh reader_;
  std::vector<GivenField> fields_;
  std::string folder_;
  std::int64_t count_;
};

/// Samples whose targets lie in `folder`, numbered from 0 on.
OpenedSamples open_mesh(data_readers::mesh const& reader, std::string const& folder) {
  std::error_code error;
  std::int64_t count = 0;
  for (auto const& entry : fs::directory_iterator(folder, error))
    count += entry.path().extension() == ".bin" ? 1 : 0;
  if (error) return Problem{"`" + folder + "`: " + error.message()};
  if (count == 0) return Problem{"`" + folder + "`: there is no .bin file"};
  if (std::ssize(std::to_string(count - 1)) > reader.index_length)
    return Problem{"`" + folder + "`: numbers of " + std::to_string(count) +
                   " files have more digits than index_length"};
  return opened<MeshSamples>(reader, fs::path(folder).parent_path().string(), count);
}

}  // namespace

std::vector<SampleSource> sources_of(data_readers::mesh const& reader, OpenContext const&) {
  return {source_of_folder("data_filedir",
                           path_in(reader.data_filedir, reader.target_name + reader.suffix), {},
                           [=](std::string const& folder) { return open_mesh(reader, folder); })};
}

}  // namespace lbann
