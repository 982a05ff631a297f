// From a message of a layer to an entry of the list of layers.
#pragma once

#include "compiler/experiment/declarations.hpp"
#include "compiler/importer/message_fields.hpp"

namespace lbann::compiler {

/// `layer { name: "c" convolution {...} }`, the `number`-th of its model, as
/// `convolution: {name: c, ...}`; null where it is no layer, which is reported.
Node import_layer(Entry const& entry, std::size_t number, Declarations const& declarations,
                  MessageFields& fields, Report& report);

}  // namespace lbann::compiler
