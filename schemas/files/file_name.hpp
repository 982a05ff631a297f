// Names of things as names of files, and paths that do not lead out of a folder.
#pragma once

#include <string>
#include <string_view>

namespace lbann {

/// One component of a path for a thing of any name. As in URLs, `%` and two hexadecimal digits
/// stand for `/`, `%`, control characters and a leading dot; different names give different
/// components.
std::string file_name(std::string_view name);

/// The thing that `file_name` gave this component, e.g. `a/b` of `a%2Fb`. A `%` without two
/// hexadecimal digits stands for itself.
std::string name_of_file(std::string_view component);

/// Whether `path`, taken from a folder, leads to a place in it by its words alone: it is relative,
/// has no `..` and no zero byte. Links in the folder are not followed.
bool stays_within(std::string_view path);

/// `path` as one that does: taken from the root if it is absolute, `..` removed together with what
/// stands before, e.g. `/tmp/a/../b` as `tmp/b` and `../c` as `c`.
std::string confined(std::string_view path);

}  // namespace lbann
