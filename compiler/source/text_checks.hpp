// Whether bytes are a text at all, before any syntax is looked at.
#pragma once

#include "compiler/diagnostics/diagnostic.hpp"
#include "schemas/plan/plan.hpp"

namespace lbann::compiler {

/// The largest text that is read, in bytes: a model of a hundred thousand layers has a tenth of it.
inline constexpr std::size_t largest_text = std::size_t{32} << 20;

/// The same of protobuf text: LBANN's front end writes masks of transformers number by number.
inline constexpr std::size_t largest_messages = std::size_t{128} << 20;

/// Length of the character at `at`, or 0 if no UTF-8 character begins there.
std::size_t character_length(std::string_view text, std::size_t at);

/// Reports the first byte that is not UTF-8 or is a control character other than tab and line
/// break; false if there is one, or if the text is larger than `most`.
bool check_text(Source const& source, std::uint32_t file, Report& report,
                std::size_t most = largest_text);

}  // namespace lbann::compiler
