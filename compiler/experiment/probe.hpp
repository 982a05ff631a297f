// Shapes and counts from the headers of data files.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "schemas/data_readers/csv.hpp"
#include "schemas/data_readers/text.hpp"
#include "schemas/vocabulary/result.hpp"

namespace lbann::compiler {

/// What a header tells: number of samples and sizes of one.
struct FileHeader {
  std::int64_t samples = 0;
  std::vector<std::int64_t> dims;
};

/// Header of an IDX file (plain or gzip): its first axis counts samples. Images get a channel axis
/// of size 1 in front; labels (one axis) have no dims.
Result<FileHeader> probe_idx(std::string const& path);

/// Header of a NumPy .npy file in C order; its first axis counts samples. An array of one axis
/// holds samples of dims [1].
Result<FileHeader> probe_npy(std::string const& path);

/// The same of the array `name` in an .npz file.
Result<FileHeader> probe_npz(std::string const& path, std::string const& name);

/// Lines of a text file (plain or gzip), and columns that are left for `samples` in the first one.
Result<FileHeader> probe_csv(std::string const& path, data_readers::csv const& reader);

/// Images in a binary file of CIFAR-10, plain or gzip.
Result<FileHeader> probe_cifar10(std::string const& path);

/// Sequences in the text of these files. What its vocabulary makes of them the runtime checks, but
/// for its size where it is that of these files.
Result<FileHeader> probe_text(std::vector<std::string> const& paths,
                              data_readers::text const& reader);

}  // namespace lbann::compiler
