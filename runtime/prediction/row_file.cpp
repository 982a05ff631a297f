// Rows as NumPy's arrays, archives of these, HDF5's datasets, and text.
#include "runtime/prediction/row_file.hpp"

#include <fmt/format.h>
#include <zlib.h>

#include <cstring>

#include "runtime/checkpoints/npy.hpp"
#include "runtime/checkpoints/replacing_file.hpp"
#include "schemas/data_formats/zip_headers.hpp"
#include "schemas/samples/hdf5_file.hpp"
#include "schemas/vocabulary/shape.hpp"

namespace lbann::runtime {

namespace {

Result<std::string> array_head(SampleField const& column, std::int64_t samples) {
  std::vector<std::int64_t> dims{samples};
  dims.insert(dims.end(), column.dims.begin(), column.dims.end());
  return npy_head(column.type, dims);
}

std::uint32_t add_to_crc(std::uint32_t check, void const* data, std::size_t size) {
  // Null would begin again.
  if (size == 0) return check;
  return static_cast<std::uint32_t>(::crc32_z(check, static_cast<Bytef const*>(data), size));
}

class NpyRowFile final : public RowFile {
 public:
  explicit NpyRowFile(ReplacingFile file) : file_(std::move(file)) {}
  Result<Success> begin(SampleField const& column, std::int64_t samples) {
    auto const head = array_head(column, samples);
    if (!head) return head.problem();
    return file_.write(head.value());
  }
  Result<Success> add(std::int64_t, std::span<std::span<std::byte const> const> values) override {
    return file_.write(values[0]);
  }
  Result<Success> finish() override { return file_.replace_target(); }

 private:
  ReplacingFile file_;
};

/// Every array has its place in the archive from the begin; its checksum is written last.
class NpzRowFile final : public RowFile {
 public:
  explicit NpzRowFile(ReplacingFile file) : file_(std::move(file)) {}

  Result<Success> begin(std::vector<SampleField> const& columns, std::int64_t samples) {
    for (auto const& column : columns) {
      auto const head = array_head(column, samples);
      if (!head) return head.problem();
      auto const size = static_cast<std::int64_t>(head.value().size()) +
                        samples * static_cast<std::int64_t>(column.bytes());
      entries_.push_back({column.name + ".npy", false,
                          add_to_crc(0, head.value().data(), head.value().size()), end_, size,
                          size});
      auto const local = static_cast<std::int64_t>(zip_local_header(entries_.back()).size());
      if (auto done = write(end_ + local, head.value()); !done) return done;
      next_.push_back(end_ + local + static_cast<std::int64_t>(head.value().size()));
      end_ += local + size;
    }
    return Success{};
  }

  Result<Success> add(std::int64_t, std::span<std::span<std::byte const> const> values) override {
    for (std::size_t i = 0; i < values.size(); ++i) {
      if (auto done = file_.write_at(next_[i], values[i]); !done) return done;
      next_[i] += static_cast<std::int64_t>(values[i].size());
      entries_[i].check = add_to_crc(entries_[i].check, values[i].data(), values[i].size());
    }
    return Success{};
  }

  Result<Success> finish() override {
    for (auto const& entry : entries_)
      if (auto done = write(entry.header, zip_local_header(entry)); !done) return done;
    if (auto done = write(end_, zip_directory(entries_, end_)); !done) return done;
    return file_.replace_target();
  }

 private:
  Result<Success> write(std::int64_t offset, std::string const& bytes) {
    return file_.write_at(offset, std::as_bytes(std::span(bytes)));
  }

  ReplacingFile file_;
  std::vector<ZipEntry> entries_;
  std::vector<std::int64_t> next_;  ///< per array: where its next row goes
  std::int64_t end_ = 0;            ///< of all arrays
};

/// Every dataset has its place in the file from the begin.
class Hdf5RowFile final : public RowFile {
 public:
  Hdf5RowFile(ReplacingFile file, std::string target)
      : file_(std::move(file)), target_(std::move(target)) {}

  Result<Success> begin(std::vector<SampleField> const& columns, std::int64_t samples) {
    std::vector<NewHdf5Dataset> datasets;
    for (auto const& column : columns) {
      datasets.push_back({column.name, column.type, {samples}});
      auto& dims = datasets.back().dims;
      dims.insert(dims.end(), column.dims.begin(), column.dims.end());
    }
    auto begins = create_hdf5_file(file_.path().string(), datasets);
    if (!begins) return Problem{target_ + ": " + begins.problem().message};
    next_ = std::move(begins).value();
    return Success{};
  }

  Result<Success> add(std::int64_t, std::span<std::span<std::byte const> const> values) override {
    for (std::size_t i = 0; i < values.size(); ++i) {
      if (auto done = file_.write_at(next_[i], values[i]); !done) return done;
      next_[i] += static_cast<std::int64_t>(values[i].size());
    }
    return Success{};
  }

  Result<Success> finish() override { return file_.replace_target(); }

 private:
  ReplacingFile file_;
  std::string target_;
  std::vector<std::int64_t> next_;  ///< per dataset: where its next row goes
};

class CsvRowFile final : public RowFile {
 public:
  CsvRowFile(ReplacingFile file, std::vector<SampleField> columns)
      : file_(std::move(file)), columns_(std::move(columns)) {}

  Result<Success> begin() {
    std::string line;
    for (auto const& column : columns_)
      for (std::int64_t i = 0; i < column.elements(); ++i) {
        if (!line.empty()) line += ',';
        line += quoted(column.elements() == 1 ? column.name : fmt::format("{}_{}", column.name, i));
      }
    return file_.write(line + '\n');
  }

  Result<Success> add(std::int64_t samples,
                      std::span<std::span<std::byte const> const> values) override {
    text_.clear();
    for (std::int64_t sample = 0; sample < samples; ++sample) {
      for (std::size_t i = 0; i < columns_.size(); ++i) {
        auto const row = values[i].data() + static_cast<std::size_t>(sample) * columns_[i].bytes();
        for (std::int64_t k = 0; k < columns_[i].elements(); ++k) {
          if (i > 0 || k > 0) text_ += ',';
          if (columns_[i].type == DataType::f64)
            append<double>(row, k);
          else
            append<float>(row, k);
        }
      }
      text_ += '\n';
    }
    return file_.write(text_);
  }

  Result<Success> finish() override { return file_.replace_target(); }

 private:
  /// As RFC 4180 has it.
  static std::string quoted(std::string const& name) {
    if (name.find_first_of(",\"\r\n") == std::string::npos) return name;
    std::string text = "\"";
    for (char const letter : name) text += letter == '"' ? "\"\"" : std::string(1, letter);
    return text + '"';
  }

  /// In the shortest form that reads as the same number.
  template <class T>
  void append(std::byte const* row, std::int64_t index) {
    T number;
    std::memcpy(&number, row + index * static_cast<std::int64_t>(sizeof number), sizeof number);
    fmt::format_to(std::back_inserter(text_), "{}", number);
  }

  ReplacingFile file_;
  std::vector<SampleField> columns_;
  std::string text_;
};

}  // namespace

bool is_hdf5(std::filesystem::path const& path) {
  auto const ending = path.extension();
  return ending == ".h5" || ending == ".hdf5";
}

bool names_predictions(std::filesystem::path const& path) {
  auto const ending = path.extension();
  return ending == ".npy" || ending == ".csv" || ending == ".npz" || is_hdf5(path);
}

Result<std::unique_ptr<RowFile>> RowFile::create(std::filesystem::path const& path,
                                                 std::vector<SampleField> columns,
                                                 std::int64_t samples) {
  using Made = Result<std::unique_ptr<RowFile>>;
  auto const ending = path.extension();
  if (!names_predictions(path))
    return Problem{path.string() + ": predictions are written to .npy, .npz, .csv or .h5 files"};
  if (ending == ".npy" && columns.size() != 1) {
    std::string names;
    for (auto const& column : columns) names += (names.empty() ? "`" : ", `") + column.name + "`";
    return Problem{path.string() + ": an .npy file holds one array, these are several: " + names +
                   "; write an .npz file, or choose one with --layers"};
  }
  auto file = ReplacingFile::create(path);
  if (!file) return file.problem();
  auto const begun = [&](auto made, auto const&... arguments) -> Made {
    if (auto done = made->begin(arguments...); !done) return done.problem();
    return std::unique_ptr<RowFile>(std::move(made));
  };
  if (ending == ".npy")
    return begun(std::make_unique<NpyRowFile>(std::move(file).value()), columns.front(), samples);
  if (ending == ".npz")
    return begun(std::make_unique<NpzRowFile>(std::move(file).value()), columns, samples);
  if (is_hdf5(path))
    return begun(std::make_unique<Hdf5RowFile>(std::move(file).value(), path.string()), columns,
                 samples);
  return begun(std::make_unique<CsvRowFile>(std::move(file).value(), std::move(columns)));
}

}  // namespace lbann::runtime
