// What it objects to, and the files it writes.
#include "schemas/callbacks/save_images.hpp"

#include "schemas/callbacks/image_layers.hpp"
#include "schemas/files/file_name.hpp"

namespace lbann::callbacks {

std::vector<ReportedFile> save_images::reported() const {
  std::vector<ReportedFile> files;
  for (auto const* phase : {"epoch*-", "test-"})
    for (auto const& layer : layers)
      files.push_back(
          {ReportedFile::Kind::image, layer,
           image_prefix + phase + file_name(layer) + "." +
               std::string(enum_names<ImageFormat>[static_cast<std::size_t>(image_format)])});
  return files;
}

void save_images::check(ModelView const& model, Findings& findings) const {
  check_image_layers(name, "layers", layers, model, findings);
}

}  // namespace lbann::callbacks
