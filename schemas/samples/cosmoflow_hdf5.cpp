// See hdf5_volumes.cpp.
#include "schemas/samples/hdf5_volumes.hpp"
#include "schemas/samples/list.hpp"

namespace lbann {

std::vector<SampleSource> sources_of(data_readers::cosmoflow_hdf5 const& reader,
                                     OpenContext const& context) {
  return {volumes_of(reader, context)};
}

}  // namespace lbann
