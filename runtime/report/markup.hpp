// Text and files within HTML.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace lbann::runtime {

/// `text` with the characters that mean something in HTML and XML escaped; control characters that
/// XML does not allow are left out.
std::string escaped(std::string_view text);

/// In base 64 (RFC 4648), for `data:` URLs.
std::string base64(std::string_view bytes);

/// A number in four digits, or a dash for NaN.
std::string short_number(double value);

}  // namespace lbann::runtime
