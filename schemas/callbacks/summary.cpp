// What it reads of steps, and what it objects to.
#include "schemas/callbacks/summary.hpp"

#include "schemas/callbacks/image_layers.hpp"

namespace lbann::callbacks {

ObservedValues summary_::observes() const {
  ObservedValues values;
  values.gradients = mat_interval > 0;
  if (mat_interval > 0 && !layers.empty()) values.outputs.push_back({layers, {"train"}});
  if (!images.empty()) values.outputs.push_back({images, {"validation", "test"}});
  return values;
}

void summary_::check(ModelView const& model, Findings& findings) const {
  check_image_layers(name, "images", images, model, findings);
}

}  // namespace lbann::callbacks
