// Groups of layers that recur in a list.
#pragma once

#include <vector>

#include "compiler/export/module_draft.hpp"

namespace lbann::compiler {

/// Groups of entries that recur, those first that would save most lines if each were written once.
/// None holds an entry that is `used`; of the starts of one group none overlap.
std::vector<Recurrence> find_recurrences(std::vector<Piece> const& pieces,
                                         std::vector<bool> const& used);

}  // namespace lbann::compiler
