// Reference pages in Markdown, made from the declarations; docs/reference holds them.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "compiler/experiment/vocabulary.hpp"

namespace lbann::compiler {

/// Names of the pages: `layers`, `optimizers`, ...
std::vector<std::string_view> page_names();

/// The page of that name, or nothing.
std::optional<std::string> page(std::string_view name, Vocabulary const& vocabulary);

}  // namespace lbann::compiler
