// HDF5 files: the library finds where numbers lie, `Hdf5Array` reads them.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "schemas/samples/hdf5_array.hpp"
#include "schemas/vocabulary/data_type.hpp"

namespace lbann {

/// An open file. Cheap to copy. Problems of all below name it. The HDF5 library is called by one
/// thread at a time, whichever file it is for; it never reads numbers, so that a damaged file can
/// do it no harm there and reading is not one thread's work.
class Hdf5File {
 public:
  /// Opens an HDF5 file, if this program was built with the library.
  static Result<Hdf5File> open(std::string const& path);

  /// The dataset `name`, a path of groups and a name. Its chunks are not looked for yet. Problems:
  /// it is not there, holds no numbers, or is packed in a way that only the library could undo.
  Result<Hdf5Array> array(std::string const& name) const;
  /// Finds where the chunks of `name` lie, where it has some.
  Result<Success> find_chunks(std::string const& name, Hdf5Array& array) const;
  /// Names of what is in the group `name`, in their order; the file's own if it is empty.
  Result<std::vector<std::string>> names(std::string const& name) const;
  /// Names of the datasets of numbers in this group, in their order.
  Result<std::vector<std::string>> names_of_numbers(std::string const& name) const;
  /// The number that the dataset `name` holds; more or fewer are a problem.
  Result<double> number(std::string const& name) const;

 private:
  struct Handle;
  Hdf5File(DataFile file, std::shared_ptr<Handle const> handle)
      : file_(std::move(file)), handle_(std::move(handle)) {}

  DataFile file_;
  std::shared_ptr<Handle const> handle_;
};

/// Release of the library; empty if this program was built without it.
std::string hdf5_release();

/// The dataset `name` of the file at `path`, loaded.
Result<Hdf5Array> load_hdf5_array(std::string const& path, std::string const& name);

/// A dataset to be made; groups of its name, a path, are made with it.
struct NewHdf5Dataset {
  std::string name;
  DataType type = DataType::f32;  ///< f32, f64 or i32
  std::vector<std::int64_t> dims;
};

/// Makes the file `path` of these datasets, or replaces what is in it, and gives the byte at which
/// the numbers of each begin. They lie one behind the other in this machine's byte order, and have
/// room; the caller writes them.
Result<std::vector<std::int64_t>> create_hdf5_file(std::string const& path,
                                                   std::span<NewHdf5Dataset const> datasets);

}  // namespace lbann
