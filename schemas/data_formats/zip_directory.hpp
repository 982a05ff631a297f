// The directory of a zip archive, as NumPy's .npz files are.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "schemas/vocabulary/result.hpp"

namespace lbann {

/// One file in the archive.
struct ZipEntry {
  std::string name;
  bool deflated = false;    ///< else it lies there as it is
  std::uint32_t check = 0;  ///< CRC-32 of its bytes
  std::int64_t header = 0;  ///< byte at which its own header begins
  std::int64_t packed = 0;  ///< bytes in the archive
  std::int64_t size = 0;    ///< bytes unpacked
};

/// Gives bytes `begin` to `begin + count` of the archive, which lie within it.
using ReadBytes =
    std::function<Result<std::vector<std::uint8_t>>(std::int64_t begin, std::int64_t count)>;

/// The files of an archive of `size` bytes; what is wrong is said without the archive's name. Read
/// are archives on one disk, not encrypted, stored or deflated, of any size (zip64).
/// PKWARE, ".ZIP File Format Specification", version 6.3.10.
Result<std::vector<ZipEntry>> read_zip_directory(std::int64_t size, ReadBytes const& read);

/// The byte at which the packed bytes of `entry` begin; all of them lie within the archive.
Result<std::int64_t> find_zip_data(ZipEntry const& entry, std::int64_t size, ReadBytes const& read);

}  // namespace lbann
