// From the declaration of a reader to its samples.
#pragma once

#include "schemas/data_readers/list.hpp"
#include "schemas/samples/sample_source.hpp"

namespace lbann {

/// Opens what `reader` names; see `Samples` for what opening reads. The problem names the file.
OpenedSamples open_samples(DataReader const& reader, OpenContext const& context);

/// Opens and loads, ready to be read.
OpenedSamples load_samples(DataReader const& reader, OpenContext const& context, bool checks_all);

}  // namespace lbann
