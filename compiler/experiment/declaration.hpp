// A thing of a declared type with its fields filled: layer, optimizer, initializer, reader,
// callback.
#pragma once

#include <memory>
#include <string_view>
#include <vector>

#include "schemas/vocabulary/field.hpp"
#include "schemas/vocabulary/span.hpp"

namespace lbann::compiler {

/// A declared type without its C++ type; made by `declaration_type<T>()`.
struct DeclarationType {
  std::string_view name;
  std::string_view summary;
  std::vector<FieldInfo> fields;
  std::shared_ptr<void> (*create)();
  bool (*set)(void* object, std::size_t field, Value const& value);
  Record (*record)(void const* object);
};

template <class T>
DeclarationType declaration_type() {
  return {T::name,
          T::summary,
          describe_fields<T>(),
          [] { return std::static_pointer_cast<void>(std::make_shared<T>()); },
          [](void* object, std::size_t field, Value const& value) {
            return set_field(*static_cast<T*>(object), field, value);
          },
          [](void const* object) { return to_record(*static_cast<T const*>(object)); }};
}

/// A value of a declared type, immutable once read, and the places it was read from.
struct Declaration {
  DeclarationType const* type = nullptr;
  std::shared_ptr<void const> object;
  Span span;                      ///< of the whole entry
  Span type_span;                 ///< of the key that names the type
  std::vector<Span> field_spans;  ///< per field; unknown where the default holds

  explicit operator bool() const { return type != nullptr; }
  template <class T>
  T const& as() const {
    return *static_cast<T const*>(object.get());
  }
  /// Place of a field, or of the type if the field was left to its default.
  Span place_of(std::string_view field) const;
};

}  // namespace lbann::compiler
