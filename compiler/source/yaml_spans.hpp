// Where YAML nodes end: the parser only tells where they begin.
#pragma once

#include <cstddef>
#include <string_view>

namespace lbann::compiler {

/// First byte of the node itself after anchors and tags (`&name`, `!tag`) that begin at `at`.
std::size_t after_properties(std::string_view text, std::size_t at);

/// End of the scalar that begins at `begin` and whose value was read as `value`; npos where a
/// quote is not closed.
std::size_t scalar_end(std::string_view text, std::size_t begin, std::string_view value);

/// Just after the bracket that closes a flow collection whose last child ends at `after`.
std::size_t flow_end(std::string_view text, std::size_t after);

/// Last byte that is not blank before `at`, plus one; not before `least`.
std::size_t without_blanks(std::string_view text, std::size_t least, std::size_t at);

}  // namespace lbann::compiler
