// Where a span begins, as `file:line:col`.
#pragma once

#include <string>
#include <vector>

#include "schemas/plan/plan.hpp"

namespace lbann {

/// `file:line:col` of the beginning of `span`, columns in characters; empty if no text caused it.
std::string location(std::vector<Source> const& sources, Span span);

/// `message`, preceded by the place of `span` where it is known; where the text stands for several
/// things (modules, `repeat`), followed by lines that say which one.
std::string located(std::vector<Source> const& sources, Span span, std::string message);

}  // namespace lbann
