// Parts of experiments in the words of messages, in the notation of the file they are about.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "schemas/vocabulary/syntax.hpp"

namespace lbann::compiler {

/// What YAML's flow style says, in another syntax: `adam: {learn_rate: 0.1}` is
/// `adam = {learn_rate = 0.1}` in TOML and `adam { learn_rate: 0.1 }` in LBANN's protobuf text.
/// Several fields may stand side by side, `a: 1, b: 2`; keys alone are a place, `model: layers:`.
/// Nothing for text of another form, or without keys.
std::optional<std::string> fragment_in(Syntax syntax, std::string_view yaml);

/// Words with their parts between backticks in that notation.
std::string words_in(Syntax syntax, std::string_view words);

}  // namespace lbann::compiler
