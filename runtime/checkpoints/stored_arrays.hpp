// Named arrays in files: a folder of .npy files, a .npz or a .safetensors file.
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "schemas/samples/npy_file.hpp"

namespace lbann::runtime {

/// One array: `open` reads its header, as those of arrays that nobody asks for may be damaged.
struct StoredArray {
  std::string name;
  std::function<Result<NpyFile>()> open;
};

/// The arrays of `path`: of a folder, its files `<name>.<extension>` in NumPy's format; else of
/// a `.npz` or a `.safetensors` file. Sorted by name, which occur once. Problems name the file.
Result<std::vector<StoredArray>> find_stored_arrays(std::filesystem::path const& path,
                                                    std::string const& extension);

}  // namespace lbann::runtime
