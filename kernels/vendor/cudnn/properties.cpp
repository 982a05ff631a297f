// Devices by handle and by JSON.
#include "kernels/vendor/cudnn/properties.hpp"

namespace lbann::kernels::cudnn {

Descriptor device_properties() {
  Descriptor properties(CUDNN_BACKEND_DEVICEPROP_DESCRIPTOR);
  return properties.set(CUDNN_ATTR_DEVICEPROP_HANDLE, handle()).finalized();
}

Descriptor device_properties(std::string const& json) {
  Descriptor properties(CUDNN_BACKEND_DEVICEPROP_DESCRIPTOR);
  return properties.set(CUDNN_ATTR_DEVICEPROP_JSON_REPRESENTATION, json).finalized();
}

std::string json_of(Descriptor const& properties) {
  return properties.text(CUDNN_ATTR_DEVICEPROP_JSON_REPRESENTATION);
}

}  // namespace lbann::kernels::cudnn
