// The two schemas of `hdf5_data_reader`, as the datasets of a sample.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "compiler/diagnostics/diagnostic.hpp"
#include "compiler/source/document.hpp"
#include "schemas/data_readers/hdf5_dataset.hpp"

namespace lbann::compiler {

/// A dataset and where the experiment schema names it.
struct SchemaDataset {
  data_readers::hdf5_dataset dataset;
  Span span;
};

/// Every leaf of `experiment`, or all leaves of `data` below it, with the metadata of both, a
/// node's own before those of the nodes above it, `experiment`'s before `data`'s; in the order of
/// `ordering`. Reports what contradicts itself; what is left is not complete then.
std::vector<SchemaDataset> resolve_schemas(Document const& data, Document const& experiment,
                                           Report& report);

}  // namespace lbann::compiler
