// Samples from datasets of the same names in each of several HDF5 files.
#pragma once

#include "schemas/data_readers/hdf5_volumes.hpp"
#include "schemas/samples/sample_source.hpp"

namespace lbann {

/// What a reader of such files opens.
SampleSource volumes_of(data_readers::hdf5_volumes const& reader, OpenContext const& context);

}  // namespace lbann
