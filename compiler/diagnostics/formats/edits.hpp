// The edits of a diagnostic in the notation of the file that they change.
#pragma once

#include <vector>

#include "compiler/diagnostics/formats/located.hpp"

namespace lbann::compiler {

/// What a diagnostic is sure to be repaired by: its own edits, or the nearest name in place of one
/// with a typing error. None where one of them lies in no file or in another than the rest, puts
/// fields where no braces are, or has keys and the file is LBANN's protobuf text.
std::vector<LocatedEdit> located_edits(Diagnostic const& diagnostic,
                                       std::vector<Source> const& sources);

}  // namespace lbann::compiler
