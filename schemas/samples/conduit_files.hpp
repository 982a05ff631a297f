// All samples of HDF5 files that Conduit wrote.
#pragma once

#include "schemas/samples/hdf5_records.hpp"

namespace lbann {

/// The samples of `files`, groups at the top of each, one file after the other. Those whose
/// simulation failed are left out.
OpenedSamples open_conduit_files(RecordTerms const& terms, std::vector<std::string> const& files);

}  // namespace lbann
