// From a document to the experiment it describes.
#pragma once

#include "compiler/diagnostics/diagnostic.hpp"
#include "compiler/experiment/declarations.hpp"
#include "compiler/experiment/experiment.hpp"
#include "compiler/source/document.hpp"

namespace lbann::compiler {

/// Reports sections that do not exist; false where others cannot be judged without them, e.g.
/// because `variables` is misspelt.
bool check_sections(Document const& document, Report& report);

/// Reads a document whose variables are replaced. Everything wrong is reported; the experiment is
/// of use only if nothing was. Declarations point into `declarations`.
Experiment read_experiment(Document const& document, Declarations const& declarations,
                           Report& report);

/// A key misspelt within a module (`nmae: conv1`) can leave a name missing, which is found before
/// any field is read. Reports the misspelt keys and types of a document that could not be written
/// out, in place of what may follow from them.
void report_misspelt_keys(Document const& document, Declarations const& declarations,
                          Report& report);

}  // namespace lbann::compiler
