// A declared type chosen by a declaration instead of the user.
#pragma once

#include <memory>
#include <string_view>
#include <utility>

namespace lbann::compiler {

/// A declared type by name, with values for its fields: what a layer's declaration says of the
/// initializer or the optimizer of its weights. The pass that uses it looks the name up.
struct Preset {
  std::string_view type;
  std::shared_ptr<void const> fields;  ///< an object of the C++ type behind `type`
};

template <class T>
Preset preset(T fields = {}) {
  return {T::name, std::make_shared<T const>(std::move(fields))};
}

}  // namespace lbann::compiler
