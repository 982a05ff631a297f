// The device that cuDNN plans for.
#pragma once

#include <string>

#include "kernels/vendor/cudnn/descriptor.hpp"

namespace lbann::kernels::cudnn {

/// Of the device in use.
Descriptor device_properties();

/// Of any device, by cuDNN's JSON of it, so that plans can be made on a machine without one.
Descriptor device_properties(std::string const& json);

/// cuDNN's JSON of `properties`.
std::string json_of(Descriptor const& properties);

}  // namespace lbann::kernels::cudnn
