// Values as files: text, NumPy's arrays, and archives of these.
#pragma once

#include <filesystem>

#include "runtime/callbacks/observed_values.hpp"

namespace lbann::runtime {

/// One row per sample, numbers separated by `separator`, each in the shortest form that reads as
/// the same number.
std::string text_of(GatheredValue const& value, char separator);

/// A matrix as text: rows of numbers separated by blanks; for tensors that are not 2-D, a number
/// per line.
std::string matrix_text(GatheredValue value);

/// A .npy file of [samples, dims of a sample].
Result<std::string> npy_of(GatheredValue const& value);

/// Arrays by name in one archive, as `numpy.savez` writes it (zip, not compressed).
class Npz {
 public:
  /// Adds `<name>.npy`.
  void add(std::string const& name, std::string const& npy);
  /// The whole file.
  std::string finish() const;

 private:
  std::string entries_, directory_;
  std::uint16_t count_ = 0;
};

/// Writes `content` to the file `path`, creating its folder; an existing file is replaced.
Result<Success> write_file(std::filesystem::path const& path, std::string const& content);

}  // namespace lbann::runtime
