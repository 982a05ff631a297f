// Shapes and counts from the headers of data files.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

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

}  // namespace lbann::compiler
