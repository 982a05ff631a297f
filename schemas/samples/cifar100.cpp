// Two bytes of labels before each image, the coarse one first.
#include "schemas/samples/cifar_files.hpp"
#include "schemas/samples/list.hpp"

namespace lbann {

std::vector<SampleSource> sources_of(data_readers::cifar100 const& reader, OpenContext const&) {
  return {cifar_source(
      reader.data_filedir, reader.filenames(),
      {2, reader.label == data_readers::CifarLabel::fine ? 1 : 0, reader.classes()}, reader.scale)};
}

}  // namespace lbann
