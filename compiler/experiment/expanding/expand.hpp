// What a document asks to be written out: expressions, repeats, calls of modules, settings.
#pragma once

#include <vector>

#include "compiler/diagnostics/diagnostic.hpp"
#include "compiler/layers/layer.hpp"
#include "compiler/source/budget.hpp"
#include "compiler/source/document.hpp"

namespace lbann::compiler {

/// Writes a document out: `${...}` replaced in all values (`x-` entries stay as they are), `repeat`
/// entries of lists unrolled, `call` entries of `model: layers:` replaced by the layers of their
/// module, `model: settings:` put into the layers they match. Afterwards there is none of these,
/// and of `modules` the layers of those only that nothing calls; layers of a `repeat` without
/// rounds stand there, too. Each round and each call is a source of its own, a copy of the text it
/// comes from, so that spans tell which one is meant. `budget` bounds what is written. Everything
/// wrong is reported.
void expand(Document& document, LayerTypes const& types, std::vector<Source>& sources,
            Budget& budget, Report& report);

}  // namespace lbann::compiler
