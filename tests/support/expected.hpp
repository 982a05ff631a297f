// Texts that tests expect, kept in files of the repository and accepted anew by ACCEPT_EXPECTED=1.
#pragma once

#include <string>
#include <string_view>

namespace lbann::tests {

/// The text of a file, whose path is relative to the folder that LBANN_SOURCE_ROOT names.
std::string expected_text(std::string const& path);

/// Empty where `found` is the text of the file, else what differs. With ACCEPT_EXPECTED=1 in the
/// environment `found` is written to the file instead, and the answer is never empty: a run that
/// accepts fails. Tests write `CHECK(difference(path, found) == "")`.
std::string difference(std::string const& path, std::string const& found);

/// The same for one section of a file: the lines after `=== section` up to the next such line.
std::string difference(std::string const& path, std::string_view section, std::string const& found);

}  // namespace lbann::tests
