// The data fields of input layers that are mixed.
#include "compiler/callbacks/mixup.hpp"

#include <algorithm>

#include "schemas/diagnostics/catalogue.hpp"

namespace lbann::callbacks {

void mixup::check(ModelView const& model, Findings& findings) const {
  if (alpha == 0) findings.add(diagnostics::no_effect, "alpha", {std::string(name), "alpha is 0"});
  for (auto const& layer : layers) {
    auto const* found = model.find_layer(layer);
    if (found != nullptr && found->data_field.empty())
      findings.add(diagnostics::not_an_input, "layers",
                   {std::string(name), layer, std::string(found->type)});
  }
}

Mixing mixup::mixing(ModelView const& model) const {
  Mixing mixing{{}, alpha};
  if (alpha == 0) return mixing;
  for (auto const& layer : model.layers) {
    bool const named = layers.empty() || std::ranges::find(layers, layer.name) != layers.end();
    std::string field(layer.data_field);
    if (named && !field.empty() && std::ranges::find(mixing.fields, field) == mixing.fields.end())
      mixing.fields.push_back(std::move(field));
  }
  return mixing;
}

}  // namespace lbann::callbacks
