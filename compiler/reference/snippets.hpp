// What an editor inserts when a name is completed.
#pragma once

#include <cstdint>
#include <string>

#include "compiler/declarations/declaration.hpp"

namespace lbann::compiler {

/// What stands after the name of a type that was completed: its required fields and, where there
/// must be several, its parents. `{out_channels: $1, kernel_size: $2}`: between braces, which are
/// right in block and in flow style, with tab stops as in snippets of the Language Server Protocol
/// 3.17. `least_parents` is 0 for what is no layer.
std::string snippet_of_fields(DeclarationType const& type, std::int64_t least_parents);

}  // namespace lbann::compiler
