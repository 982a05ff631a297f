// A thing of a declared type with its fields filled: layer, optimizer, initializer, reader,
// callback.
#pragma once

#include <memory>
#include <span>
#include <string_view>
#include <tuple>
#include <vector>

#include "schemas/vocabulary/field.hpp"
#include "schemas/vocabulary/part.hpp"
#include "schemas/vocabulary/span.hpp"

namespace lbann::compiler {

struct DeclarationType;

/// A key of a declared type under which other declarations stand.
struct PartType {
  std::string_view name;
  std::string_view doc;
  PartForm form;
  std::vector<DeclarationType const*> types;  ///< one for sections, several for entries

  /// Its values are mappings with a single key, their type.
  bool typed() const { return form == PartForm::entry || form == PartForm::entries; }
  bool repeated() const { return form == PartForm::sections || form == PartForm::entries; }
};

/// A declared type without its C++ type; made by `declaration_type<T>()`.
struct DeclarationType {
  std::string_view name;
  std::string_view summary;
  std::vector<FieldInfo> fields;
  std::vector<PartType> parts;
  Support support = Support::implemented;
  std::string_view reason;   ///< why it is ignored
  std::string_view formula;  ///< what it computes, in lines of plain text; may be empty
  void* (*make)();
  void (*destroy)(void* object);
  std::vector<FieldView> (*fields_of)(void const* object);

  std::shared_ptr<void> create() const { return {make(), destroy}; }
  bool set(void* object, std::size_t field, Value const& value) const {
    return set_field(fields_of(object)[field], value);
  }
  Record record(void const* object) const { return to_record(name, fields_of(object)); }
};

template <class T>
DeclarationType declaration_type();

namespace detail {

/// The one description of a type that stands inside of others.
template <class T>
DeclarationType const* inner_type() {
  static DeclarationType const type = declaration_type<T>();
  return &type;
}

template <PartForm form, class... Types>
PartType part_type(Part<form, Types...> const& part) {
  return {part.name, part.doc, form, {inner_type<Types>()...}};
}

template <class T>
std::vector<PartType> part_types() {
  if constexpr (requires { T::parts(); })
    return std::apply(
        [](auto const&... parts) { return std::vector<PartType>{part_type(parts)...}; },
        T::parts());
  else
    return {};
}

template <class T>
constexpr Support support_of() {
  if constexpr (requires { T::support; })
    return T::support;
  else
    return Support::implemented;
}

template <class T>
constexpr std::string_view reason_of() {
  if constexpr (requires { T::reason; })
    return T::reason;
  else
    return {};
}

template <class T>
constexpr std::string_view formula_of() {
  if constexpr (requires { T::formula; })
    return T::formula;
  else
    return {};
}

}  // namespace detail

template <class T>
DeclarationType declaration_type() {
  return {T::name,
          T::summary,
          describe_fields<T>(),
          detail::part_types<T>(),
          detail::support_of<T>(),
          detail::reason_of<T>(),
          detail::formula_of<T>(),
          []() -> void* { return new T; },
          [](void* object) { delete static_cast<T*>(object); },
          [](void const* object) { return lbann::fields_of(*static_cast<T const*>(object)); }};
}

struct Declaration;

/// What the user wrote under the key of a part.
struct DeclaredPart {
  PartType const* part = nullptr;
  Span key_span;
  std::vector<Declaration> values;  ///< at most one unless the part is repeated
};

/// A value of a declared type, immutable once read, and the places it was read from.
struct Declaration {
  DeclarationType const* type = nullptr;
  std::shared_ptr<void const> object;
  Span span;                        ///< of the whole entry
  Span type_span;                   ///< of the key that names the type
  std::vector<Span> field_spans;    ///< per field; unknown where the default holds
  std::vector<DeclaredPart> parts;  ///< those that were written

  explicit operator bool() const { return type != nullptr; }
  template <class T>
  T const& as() const {
    return *static_cast<T const*>(object.get());
  }
  /// Whether a field was written, not left to its default.
  bool gives(std::string_view field) const;
  /// Place of a field, or of the type if the field was left to its default.
  Span place_of(std::string_view field) const;
  /// What was written under the key of a part, or null.
  DeclaredPart const* find_part(std::string_view name) const;
};

/// All fields at their defaults, without places in a text.
Declaration default_declaration(DeclarationType const& type);

}  // namespace lbann::compiler
