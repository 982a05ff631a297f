// Fields of a declaration as a table of Markdown.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "schemas/vocabulary/field.hpp"

namespace lbann::compiler {

/// What holds of a thing that is not fully there, behind its sentence; else nothing.
std::string support_words(Support support, std::string_view reason);

/// `text` in a cell of a table: bars do not end it.
std::string table_cell(std::string_view text);

/// Name, values, default and meaning of each field.
std::string field_table(std::vector<FieldInfo> const& fields);

}  // namespace lbann::compiler
