// Fields that name layers whose outputs are images.
#include "schemas/callbacks/image_layers.hpp"

#include "schemas/diagnostics/passes.hpp"
#include "schemas/vocabulary/image_dims.hpp"
#include "schemas/vocabulary/shape.hpp"

namespace lbann::callbacks {

void check_image_layers(std::string_view callback, std::string_view field,
                        std::vector<std::string> const& layers, ModelView const& model,
                        Findings& findings) {
  for (auto const& layer_name : layers) {
    auto const* layer = model.find_layer(layer_name);
    if (layer == nullptr) continue;  // reported as a reference
    auto const dims = layer->outputs.empty() ? std::vector<std::int64_t>() : layer->outputs[0];
    if (image_dims(dims).empty())
      findings.add(diagnostics::no_image, field,
                   {std::string(callback), layer_name, to_text(Shape(dims))});
  }
}

}  // namespace lbann::callbacks
