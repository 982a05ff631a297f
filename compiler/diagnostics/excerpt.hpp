// One line of a text with carets under a span.
#pragma once

#include <string>
#include <string_view>

#include "schemas/vocabulary/span.hpp"

namespace lbann::compiler {

/// A line as it is shown, and where the span lies in it, counted in columns of a terminal.
struct Excerpt {
  std::size_t line = 1;    ///< number in the text, from 1
  std::string text;        ///< tabs as spaces, control characters as dots, long lines cut
  std::size_t indent = 0;  ///< columns before the span
  std::size_t width = 1;   ///< columns of the span, at least 1; cut at the end of the line
};

Excerpt excerpt_of(std::string_view text, Span span);

/// Columns a terminal needs for a UTF-8 text.
std::size_t columns_of(std::string_view text);

}  // namespace lbann::compiler
