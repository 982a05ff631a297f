// Numbers of a dataset of an HDF5 file, read past the HDF5 library: by several threads at once.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "schemas/data_formats/npy_header.hpp"
#include "schemas/samples/data_file.hpp"
#include "schemas/samples/hdf5_chunks.hpp"
#include "schemas/samples/samples.hpp"

namespace lbann {

/// How a number lies in the file.
struct Hdf5Number {
  NpyNumber number = NpyNumber::f4;
  bool swapped = false;  ///< big-endian
  bool half = false;     ///< `number` is u2, the bits of a 16-bit float

  std::int64_t bytes() const { return bytes_of(number); }
  friend bool operator==(Hdf5Number const&, Hdf5Number const&) = default;
};

/// A dataset, its numbers in C order: one behind the other in the file, in chunks (packed or not),
/// or in memory. `Hdf5File` gives it.
struct Hdf5Array {
  std::vector<std::int64_t> dims;  ///< none: a single number
  Hdf5Number number;
  DataFile file;  ///< the whole of it, called `file[name]`
  std::int64_t begin =
      -1;  ///< byte at which the numbers begin, where they lie one behind the other
  std::shared_ptr<Hdf5Chunks const> chunks;               ///< null: there are none
  std::shared_ptr<std::vector<std::uint8_t> const> held;  ///< all bytes, where they are in memory

  /// Numbers of all of it, and of one step along its first axis.
  std::int64_t numbers() const { return elements_of(dims); }
  std::int64_t row() const {
    return dims.empty() ? 1 : elements_of({dims.begin() + 1, dims.end()});
  }
  /// Steps along its first axis.
  std::int64_t rows() const { return dims.empty() ? 1 : dims[0]; }

  /// Checks that the file is long enough; unpacks chunks that are small in all and keeps them in
  /// memory. Chunks must have been found (`Hdf5File::find_chunks`).
  Result<Success> load();

  /// Calls `visit(at, numbers)` with all numbers of `count` rows from `first` on, piece by piece in
  /// any order; `at` counts from the first number of the first row. Allocates nothing once the
  /// thread has read one row.
  using Visit = std::function<void(std::int64_t at, std::span<double const> numbers)>;
  Result<Success> each(std::int64_t first, std::int64_t count, Visit const& visit) const;

  /// Writes these numbers, `values.count` in all, times `scale`. Integers that are not scaled and
  /// that a float would round are a problem.
  Result<Success> read(std::int64_t first, std::int64_t count, FieldValues const& values,
                       double scale = 1) const;
};

}  // namespace lbann
