// Values of all samples in one file, a row for each.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "runtime/prediction/sample_field.hpp"
#include "schemas/vocabulary/result.hpp"

namespace lbann::runtime {

/// A file that gets its rows in their order and is in place only once it has all of them; what was
/// there before stays until then. Holds no rows in memory.
class RowFile {
 public:
  virtual ~RowFile() = default;

  /// A new file, by its ending: .npy, an array [samples, dims] of one output; .npz, such an array
  /// for each, by name; .h5 or .hdf5, such a dataset for each; .csv, a column for each number, with
  /// their names in the first line.
  /// Problems: another ending, several outputs for an .npy file, a place that cannot be written.
  static Result<std::unique_ptr<RowFile>> create(std::filesystem::path const& path,
                                                 std::vector<SampleField> columns,
                                                 std::int64_t samples);

  /// The next `samples` rows, of every column.
  virtual Result<Success> add(std::int64_t samples,
                              std::span<std::span<std::byte const> const> values) = 0;
  /// After all of them.
  virtual Result<Success> finish() = 0;
};

/// Whether `path` has the ending of an HDF5 file.
bool is_hdf5(std::filesystem::path const& path);

/// Whether `path` has an ending that predictions can be written with.
bool names_predictions(std::filesystem::path const& path);

}  // namespace lbann::runtime
