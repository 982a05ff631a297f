// Texts of the user as messages can show them.
#pragma once

#include <string>
#include <string_view>

namespace lbann::compiler {

/// Bytes of a text in a message, e.g. of a value: enough for lists of names and long expressions.
inline constexpr std::size_t longest_words = 400;
/// Bytes of a note, which may list the fields of a declaration or the shapes of a model.
inline constexpr std::size_t longest_note = 2000;

/// `text` on one line or, of notes, with its lines, and blanks for control characters. Of a text of
/// more than `most` bytes the middle is left out, between whole characters: `abc...xyz`.
std::string shortened(std::string_view text, std::size_t most = longest_words,
                      bool keeps_lines = false);

}  // namespace lbann::compiler
