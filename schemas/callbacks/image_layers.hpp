// Fields that name layers whose outputs are images.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "schemas/callbacks/model_view.hpp"

namespace lbann::callbacks {

/// Adds a finding at `field` of `callback` for each of these layers whose first output is no image.
void check_image_layers(std::string_view callback, std::string_view field,
                        std::vector<std::string> const& layers, ModelView const& model,
                        Findings& findings);

}  // namespace lbann::callbacks
