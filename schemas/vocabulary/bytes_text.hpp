// Numbers of bytes for people.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace lbann {

/// `640 B`, `2.5 kB`, `1.6 GB`: powers of 1000.
std::string bytes_text(std::int64_t bytes);

/// Reads what users write: `24GiB`, `80 GB`, `512MiB`, `1e9`; powers of 1024 with an `i`. Nothing
/// for what is none, or not positive.
std::optional<std::int64_t> parse_bytes(std::string_view text);

}  // namespace lbann
