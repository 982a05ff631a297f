// Whole files, read and written.
#pragma once

#include <limits>
#include <optional>
#include <string>
#include <string_view>

#include "schemas/vocabulary/result.hpp"

namespace lbann::compiler {

/// The bytes of a regular file, or why they cannot be read. Of a file with more than `most` only a
/// beginning that has more.
Result<std::string> read_file(std::string const& path,
                              std::size_t most = std::numeric_limits<std::size_t>::max());

/// The descriptor that a path names by its words: `-` and `/dev/stdin` standard input, `/dev/fd/3`
/// (what a shell makes of `<(command)`) number 3.
std::optional<int> open_descriptor(std::string const& path);

/// The same as `read_file` of a path that the user gives, who may also name an open descriptor.
/// What that is read from - a pipe, a terminal - the shell has opened: this waits until it ends.
Result<std::string> read_input(std::string const& path,
                               std::size_t most = std::numeric_limits<std::size_t>::max());

/// Writes a file so that at any time either the old or the new one is there: temporary file in
/// the same folder, then rename.
Result<Success> write_file(std::string const& path, std::string_view bytes);

}  // namespace lbann::compiler
