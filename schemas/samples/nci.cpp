// A table whose columns are known.
#include "schemas/samples/list.hpp"

namespace lbann {

std::vector<SampleSource> sources_of(data_readers::nci const& reader, OpenContext const& context) {
  return sources_of(reader.csv_reader(), context);
}

}  // namespace lbann
