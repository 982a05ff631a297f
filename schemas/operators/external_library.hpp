// A layer in a user's shared library: what its operator and the one of its gradient are told alike.
#pragma once

#include "schemas/operators/operator.hpp"

namespace lbann::operators {

/// Base of `external` and its gradient; the library is opened when a kernel is bound
/// (include/lbann/external_layer.h is what it must offer).
struct ExternalLibrary {
  std::string filename;    ///< as the experiment writes it
  std::string layer_name;  ///< the library exports `setup_<layer_name>`

  static constexpr auto library_fields() {
    return std::tuple{path(field("filename", &ExternalLibrary::filename,
                                 "The shared library's file.", Presence::required)),
                      field("layer_name", &ExternalLibrary::layer_name,
                            "The library exports `setup_<layer_name>`.", Presence::required)};
  }

  friend bool operator==(ExternalLibrary const&, ExternalLibrary const&) = default;
};

}  // namespace lbann::operators
