// See hdf5_records.cpp; the compiler reads the schemas.
#include "schemas/samples/hdf5_records.hpp"
#include "schemas/samples/list.hpp"

namespace lbann {

std::vector<SampleSource> sources_of(data_readers::hdf5_data_reader const& reader,
                                     OpenContext const& context) {
  return {records_of(reader, RecordTerms(reader, "the schemas are", context), context)};
}

}  // namespace lbann
