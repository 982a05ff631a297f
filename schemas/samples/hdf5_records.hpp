// Samples that are groups of datasets in HDF5 files, as a sample list names them.
#pragma once

#include "schemas/data_readers/hdf5_records.hpp"
#include "schemas/samples/sample_source.hpp"

namespace lbann {

/// What a reader of such samples opens: its sample list, whose files follow.
SampleSource records_of(data_readers::hdf5_records const& reader, OpenContext const& context);

}  // namespace lbann
