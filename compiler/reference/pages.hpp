// Reference pages in Markdown, made from the declarations; docs/reference holds them.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "compiler/experiment/declarations.hpp"

namespace lbann::compiler {

/// Names of the pages: `layers`, `layers/activations`, `optimizers`, ...
std::vector<std::string> page_names(Declarations const& declarations);

/// The page of that name, or nothing.
std::optional<std::string> page(std::string_view name, Declarations const& declarations);

/// Layers, optimizers, initializers, readers and callbacks, whose sections `explain` gives.
std::vector<std::string_view> explained_names(Declarations const& declarations);

/// The sections of all that have this name; empty if there are none.
std::string explain(std::string_view name, Declarations const& declarations);

}  // namespace lbann::compiler
