// Shapes of the data fields readers give: known, declared, given on the command line, or probed.
#pragma once

#include <string>
#include <vector>

#include "compiler/diagnostics/diagnostic.hpp"
#include "compiler/experiment/declarations.hpp"
#include "compiler/experiment/experiment.hpp"
#include "compiler/experiment/probing/given_dims.hpp"
#include "schemas/samples/sample_source.hpp"

namespace lbann::compiler {

/// Completes `fields` and `samples` of every reader. `arguments` are valid for all
/// readers; each becomes a source of its own. What stays unknown
/// is said by `unknown_because` and is no error yet: only a layer that asks for it makes it one.
/// Errors: fields a reader does not give, dims that contradict the reader or the file, files that
/// are not what the reader reads.
void complete_data_fields(Experiment& experiment, Declarations const& declarations,
                          std::vector<GivenDims> const& arguments, OpenContext const& context,
                          std::vector<Source>& sources, Report& report);

/// What is wrong with the file at `path`, without its name, which a diagnostic gives as written.
std::string without_name(std::string const& words, std::string const& path);

/// Where `caps_mini_batch` says so, and readers tell how many samples they give: a mini-batch that
/// is larger than any of them is as large as the largest.
void cap_mini_batch(Experiment& experiment);

}  // namespace lbann::compiler
