// Whole files, read and written.
#pragma once

#include <limits>
#include <string>
#include <string_view>

#include "schemas/vocabulary/result.hpp"

namespace lbann::compiler {

/// The bytes of a file (`-`: standard input), or why they cannot be read. Of a file with
/// more than `most` only a beginning that has more.
Result<std::string> read_file(std::string const& path,
                              std::size_t most = std::numeric_limits<std::size_t>::max());

/// Writes a file so that at any time either the old or the new one is there: temporary file in
/// the same folder, then rename.
Result<Success> write_file(std::string const& path, std::string_view bytes);

}  // namespace lbann::compiler
