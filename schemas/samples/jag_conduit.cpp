// See hdf5_records.cpp; the compiler makes datasets of `data_set_metadata`.
#include "schemas/samples/hdf5_records.hpp"
#include "schemas/samples/list.hpp"

namespace lbann {

std::vector<SampleSource> sources_of(data_readers::jag_conduit const& reader,
                                     OpenContext const& context) {
  return {records_of(reader, RecordTerms(reader, "`data_set_metadata` is", context), context)};
}

}  // namespace lbann
