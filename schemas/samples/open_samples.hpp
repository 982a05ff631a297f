// From the declaration of a reader to its samples.
#pragma once

#include "schemas/data_readers/list.hpp"
#include "schemas/plan/plan.hpp"
#include "schemas/samples/sample_source.hpp"

namespace lbann {

/// The reader that a plan declares; nothing if this program has none of this type and fields.
std::optional<DataReader> reader_of(DataSource const& source);

/// Opens what `reader` names; see `Samples` for what opening reads. The problem names the file.
OpenedSamples open_samples(DataReader const& reader, OpenContext const& context);

/// The field of a reader that names its samples' file or folder, and whether the field
/// `data_filedir` stands before that path. Empty: the reader has none.
struct FileOfSamples {
  std::string field;
  bool in_folder = false;
};
FileOfSamples file_of_samples(DataReader const& reader, OpenContext const& context);

/// Opens and loads, ready to be read.
OpenedSamples load_samples(DataReader const& reader, OpenContext const& context, bool checks_all);

}  // namespace lbann
