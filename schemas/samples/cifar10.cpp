// A byte of label before each image.
#include "schemas/samples/cifar_files.hpp"
#include "schemas/samples/list.hpp"

namespace lbann {

std::vector<SampleSource> sources_of(data_readers::cifar10 const& reader, OpenContext const&) {
  return {cifar_source(reader.data_filedir, reader.filenames(), {1, 0, 10}, reader.scale)};
}

}  // namespace lbann
