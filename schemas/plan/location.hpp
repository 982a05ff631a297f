// Where a span begins, as `file:line:col`, or as `file: model.layer[3].relu` in binary messages.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "schemas/plan/plan.hpp"

namespace lbann {

/// How the text begins that stands for a file of binary messages: `name: value` and `name {` on
/// lines of their own, indented by two blanks a level.
inline constexpr std::string_view decoded_messages =
    "# protobuf messages, from their binary form\n";

/// `file:line:col` of the beginning of `span`, columns in characters; `file: path of messages`
/// where the text was decoded; empty if no text caused it.
std::string location(std::vector<Source> const& sources, Span span);

/// `message`, preceded by the place of `span` where it is known; where the text stands for several
/// things (modules, `repeat`), followed by lines that say which one.
std::string located(std::vector<Source> const& sources, Span span, std::string message);

}  // namespace lbann
