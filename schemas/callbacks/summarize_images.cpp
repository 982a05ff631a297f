// What it reads of validations, and what it objects to.
#include "schemas/callbacks/summarize_images.hpp"

#include "schemas/callbacks/image_layers.hpp"
#include "schemas/diagnostics/experiment.hpp"
#include "schemas/diagnostics/passes.hpp"
#include "schemas/vocabulary/shape.hpp"

namespace lbann::callbacks {

ObservedValues summarize_images::observes() const {
  std::vector<std::string> layers{image_source_layer_name};
  if (!accuracy_layer_name.empty()) layers.push_back(accuracy_layer_name);
  return {.outputs = {{std::move(layers), {"validation"}}}};
}

void summarize_images::check(ModelView const& model, Findings& findings) const {
  check_image_layers(name, "image_source_layer_name", {image_source_layer_name}, model, findings);
  if (!model.has_validation)
    findings.add(diagnostics::phase_without_data, "", {std::string(name), "validation"});
  auto const* accuracy = model.find_layer(accuracy_layer_name);
  if (accuracy_layer_name.empty()) {
    if (match_type != MatchType::nomatch)
      findings.add(diagnostics::no_effect, "match_type",
                   {"match_type", "there is no `accuracy_layer_name`"});
  } else if (accuracy != nullptr) {
    auto const dims =
        accuracy->outputs.empty() ? std::vector<std::int64_t>() : accuracy->outputs[0];
    if (checked_product(dims) != 1)
      findings.add(diagnostics::not_one_number, "accuracy_layer_name",
                   {std::string(name), accuracy_layer_name, to_text(Shape(dims))});
  }
}

}  // namespace lbann::callbacks
