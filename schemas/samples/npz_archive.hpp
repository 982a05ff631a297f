// Arrays of a NumPy archive (.npz).
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "schemas/data_formats/zip_directory.hpp"
#include "schemas/samples/npy_file.hpp"

namespace lbann {

/// An open archive. Problems of it and of its arrays name the file, and `file[array]`.
class NpzArchive {
 public:
  static Result<NpzArchive> open(std::string const& path);

  DataFile const& file() const { return file_; }
  /// Names of the arrays, without `.npy`, in the archive's order.
  std::vector<std::string> names() const;
  /// The array of this name; nothing if there is none.
  Result<std::optional<NpyFile>> array(std::string_view name) const;

 private:
  NpzArchive(DataFile file, std::vector<ZipEntry> entries)
      : file_(std::move(file)), entries_(std::move(entries)) {}

  DataFile file_;
  std::vector<ZipEntry> entries_;
};

}  // namespace lbann
