// What a zip archive of stored files holds besides their bytes.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "schemas/data_formats/zip_directory.hpp"

namespace lbann {

/// The bytes before those of a stored file; its `header` is not used. Always zip64, so that no size
/// is a case of its own; dated 1980, so that equal files give equal archives. Names are UTF-8 of at
/// most 65535 bytes.
std::string zip_local_header(ZipEntry const& entry);

/// The bytes behind the last file: the directory, which begins at byte `begin` of the archive, and
/// the records of its end.
std::string zip_directory(std::span<ZipEntry const> entries, std::int64_t begin);

}  // namespace lbann
