// Samples that are groups of datasets in HDF5 files, as a sample list names them.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "schemas/data_formats/sample_list.hpp"
#include "schemas/data_readers/hdf5_records.hpp"
#include "schemas/samples/hdf5_file.hpp"
#include "schemas/samples/sample_source.hpp"

namespace lbann {

/// Whether the simulation that a sample comes from ended well: 1 or 0.
inline constexpr std::string_view success_flag = "performance/success";

/// What is known of the samples before any file is opened.
struct RecordTerms {
  std::vector<data_readers::hdf5_dataset> datasets;
  std::vector<data_readers::GivenField> fields;  ///< that they make
  std::string_view told_by;  ///< where a plan without them must be made: `the schemas are`
  std::string local_folder;  ///< of copies on the node; empty: none
  FileStaging* staging;      ///< that makes copies on the node; null: none

  template <class Reader>
  RecordTerms(Reader const& reader, std::string_view told, OpenContext const& context)
      : datasets(reader.datasets),
        fields(reader.gives()),
        told_by(told),
        local_folder(reader.data_local_filedir),
        staging(context.staging) {}
};

/// Opens an HDF5 file; the problem tells what becomes of other files that Conduit writes.
Result<Hdf5File> open_conduit_file(std::string const& path);

/// What a reader of such samples opens: its sample list, whose files follow.
SampleSource records_of(data_readers::hdf5_records const& reader, RecordTerms const& terms,
                        OpenContext const& context);

/// The samples of `list`, whose files lie in `folder`.
OpenedSamples open_records(RecordTerms const& terms, SampleList list, Result<std::string> folder);

/// Names of the numbers in `group` of the first sample that `source`, of such a reader, has.
Result<std::vector<std::string>> keys_of_first_sample(SampleSource const& source,
                                                      DataPlaces const& places,
                                                      std::string const& group);

}  // namespace lbann
