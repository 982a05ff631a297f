// Whether outputs are images, and the files they are written to.
#include "schemas/callbacks/save_images.hpp"

#include "schemas/diagnostics/passes.hpp"
#include "schemas/files/file_name.hpp"
#include "schemas/vocabulary/image_dims.hpp"
#include "schemas/vocabulary/shape.hpp"

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
  for (auto const& layer_name : layers) {
    auto const* layer = model.find_layer(layer_name);
    if (layer == nullptr) continue;  // reported as a reference
    auto const dims = layer->outputs.empty() ? std::vector<std::int64_t>() : layer->outputs[0];
    if (image_dims(dims).empty())
      findings.add(diagnostics::no_image, "layers",
                   {std::string(name), layer_name, to_text(Shape(dims))});
  }
}

}  // namespace lbann::callbacks
