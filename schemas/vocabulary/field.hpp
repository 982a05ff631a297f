// Members of a declaration described once: reading, printing, encoding and documentation follow.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "schemas/expression/expression.hpp"
#include "schemas/vocabulary/data_type.hpp"
#include "schemas/vocabulary/shape.hpp"

namespace lbann {

/// Any value a field can hold, as texts and plans carry it. Enumerations travel as their names.
using Value = std::variant<bool, std::int64_t, double, std::string, std::vector<std::int64_t>,
                           std::vector<double>, std::vector<std::string>, Shape, Expression>;

/// Whether a user must give the field.
enum class Presence : std::uint8_t { optional, required };

/// The numbers a field (each element of a list) may hold.
struct Range {
  double least = -std::numeric_limits<double>::infinity();
  double most = std::numeric_limits<double>::infinity();
  bool least_excluded = false, most_excluded = false;

  constexpr bool holds(double x) const {
    return (least_excluded ? x > least : x >= least) && (most_excluded ? x < most : x <= most);
  }
};

inline constexpr Range any_number{};
inline constexpr Range at_least_zero{.least = 0};
inline constexpr Range at_least_one{.least = 1};
inline constexpr Range above_zero{.least = 0, .least_excluded = true};
inline constexpr Range zero_to_one{.least = 0, .most = 1};
inline constexpr Range zero_to_below_one{.least = 0, .most = 1, .most_excluded = true};
inline constexpr Range above_zero_to_one{.least = 0, .most = 1, .least_excluded = true};

/// Whether what a declared thing asks for exists: `unbuilt` things are declared, but not supported
/// yet; `inert` ones are accepted and change nothing, for a reason.
enum class Support : std::uint8_t { built, unbuilt, inert };

/// One member: its name in the language, where it lies, a sentence about it, its unit (or empty),
/// the numbers it may hold. A number outside of them as default stands for "left out". What is said
/// of support holds for every value but the default.
template <class Owner, class Member>
struct Field {
  std::string_view name;
  Member Owner::*member;
  std::string_view doc;
  Presence presence = Presence::optional;
  std::string_view unit = {};
  Range range = {};
  Support support = Support::built;
  std::string_view reason = {};  ///< why it is inert
};

template <class Owner, class Member>
constexpr Field<Owner, Member> field(std::string_view name, Member Owner::*member,
                                     std::string_view doc, Presence presence = Presence::optional,
                                     std::string_view unit = {}, Range range = {}) {
  return {name, member, doc, presence, unit, range};
}

template <class Owner, class Member>
constexpr Field<Owner, Member> field(std::string_view name, Member Owner::*member,
                                     std::string_view doc, Range range,
                                     Presence presence = Presence::optional) {
  return {name, member, doc, presence, {}, range};
}

/// The same field, not supported yet.
template <class Owner, class Member>
constexpr Field<Owner, Member> unbuilt(Field<Owner, Member> field) {
  field.support = Support::unbuilt;
  return field;
}

/// The same field, accepted without effect.
template <class Owner, class Member>
constexpr Field<Owner, Member> inert(Field<Owner, Member> field, std::string_view reason) {
  field.support = Support::inert;
  field.reason = reason;
  return field;
}

/// An enumeration used in a field specialises this with its names in order of the enumerators.
///
///     template <> inline constexpr auto enum_names<PoolMode> = std::array<std::string_view,
///     2>{"max", "average"};
template <class Enum>
inline constexpr std::nullptr_t enum_names = nullptr;

template <>
inline constexpr auto enum_names<DataType> = data_type_names;

/// What a field holds, for checking and documentation.
enum class FieldKind : std::uint8_t {
  boolean,
  integer,
  real,
  text,
  choice,
  integers,
  reals,
  texts,
  shape,
  expression
};

/// A field without its C++ type.
struct FieldInfo {
  std::string_view name;
  std::string_view doc;
  std::string_view unit;
  FieldKind kind;
  Presence presence;
  std::vector<std::string_view> choices;  ///< for `choice`
  Value default_value;
  Range range = {};
  Support support = Support::built;
  std::string_view reason = {};
};

namespace detail {

template <class T>
constexpr FieldKind kind_of() {
  if constexpr (std::is_same_v<T, bool>)
    return FieldKind::boolean;
  else if constexpr (std::is_enum_v<T>)
    return FieldKind::choice;
  else if constexpr (std::is_integral_v<T>)
    return FieldKind::integer;
  else if constexpr (std::is_floating_point_v<T>)
    return FieldKind::real;
  else if constexpr (std::is_same_v<T, std::string>)
    return FieldKind::text;
  else if constexpr (std::is_same_v<T, std::vector<std::int64_t>>)
    return FieldKind::integers;
  else if constexpr (std::is_same_v<T, std::vector<double>>)
    return FieldKind::reals;
  else if constexpr (std::is_same_v<T, std::vector<std::string>>)
    return FieldKind::texts;
  else if constexpr (std::is_same_v<T, Shape>)
    return FieldKind::shape;
  else if constexpr (std::is_same_v<T, Expression>)
    return FieldKind::expression;
  else if constexpr (std::is_same_v<T, std::vector<DataType>>)
    return FieldKind::texts;
  else
    static_assert(!sizeof(T), "a type no field can hold");
}

template <class T>
Value to_value(T const& member) {
  if constexpr (std::is_same_v<T, bool>)
    return member;
  else if constexpr (std::is_enum_v<T>)
    return std::string(enum_names<T>[static_cast<std::size_t>(member)]);
  else if constexpr (std::is_integral_v<T>)
    return static_cast<std::int64_t>(member);
  else if constexpr (std::is_floating_point_v<T>)
    return static_cast<double>(member);
  else if constexpr (std::is_same_v<T, std::vector<DataType>>) {
    std::vector<std::string> names;
    for (auto type : member) names.emplace_back(name_of(type));
    return names;
  } else
    return member;
}

template <class T>
bool from_value(Value const& value, T& member) {
  if constexpr (std::is_enum_v<T>) {
    auto const* name = std::get_if<std::string>(&value);
    if (name == nullptr) return false;
    for (std::size_t i = 0; i < enum_names<T>.size(); ++i)
      if (enum_names<T>[i] == *name) return member = static_cast<T>(i), true;
    return false;
  } else if constexpr (std::is_same_v<T, std::vector<DataType>>) {
    auto const* names = std::get_if<std::vector<std::string>>(&value);
    if (names == nullptr) return false;
    member.clear();
    for (auto const& name : *names) {
      auto const type = data_type_named(name);
      if (!type) return false;
      member.push_back(*type);
    }
    return true;
  } else {
    using Held = std::conditional_t<
        std::is_same_v<T, bool>, bool,
        std::conditional_t<std::is_integral_v<T>, std::int64_t,
                           std::conditional_t<std::is_floating_point_v<T>, double, T>>>;
    auto const* held = std::get_if<Held>(&value);
    if (held == nullptr) return false;
    member = static_cast<T>(*held);
    return true;
  }
}

}  // namespace detail

/// Descriptions of the fields of `T`, defaults taken from a default-constructed `T`.
template <class T>
std::vector<FieldInfo> describe_fields() {
  std::vector<FieldInfo> infos;
  T const defaults{};
  std::apply(
      [&](auto const&... fields) {
        [[maybe_unused]] auto add = [&](auto const& f) {
          using Member = std::remove_cvref_t<decltype(defaults.*(f.member))>;
          FieldInfo info{f.name,
                         f.doc,
                         f.unit,
                         detail::kind_of<Member>(),
                         f.presence,
                         {},
                         detail::to_value(defaults.*(f.member)),
                         f.range,
                         f.support,
                         f.reason};
          if constexpr (std::is_enum_v<Member>)
            info.choices.assign(enum_names<Member>.begin(), enum_names<Member>.end());
          infos.push_back(std::move(info));
        };
        (add(fields), ...);
      },
      T::fields());
  return infos;
}

/// Value of field number `index` of `object`.
template <class T>
Value get_field(T const& object, std::size_t index) {
  Value value;
  std::size_t i = 0;
  std::apply(
      [&](auto const&... fields) {
        ((i++ == index ? void(value = detail::to_value(object.*(fields.member))) : void()), ...);
      },
      T::fields());
  return value;
}

/// Sets field number `index`; false if `value` is not of its kind (or not among its choices).
template <class T>
bool set_field(T& object, std::size_t index, Value const& value) {
  bool done = false;
  std::size_t i = 0;
  std::apply(
      [&](auto const&... fields) {
        ((i++ == index ? void(done = detail::from_value(value, object.*(fields.member))) : void()),
         ...);
      },
      T::fields());
  return done;
}

/// A declaration's name with the values of all its fields, in their order: how data readers,
/// callbacks and operators travel in texts and plans.
struct Record {
  std::string type;
  std::vector<std::pair<std::string, Value>> fields;

  friend bool operator==(Record const&, Record const&) = default;
};

template <class T>
Record to_record(T const& object) {
  Record record{std::string(T::name), {}};
  std::apply(
      [&](auto const&... fields) {
        (record.fields.emplace_back(std::string(fields.name),
                                    detail::to_value(object.*(fields.member))),
         ...);
      },
      T::fields());
  return record;
}

/// The object a record tells of; nothing if names, order or kinds of its fields are not those of
/// `T`.
template <class T>
std::optional<T> from_record(Record const& record) {
  T object{};
  constexpr auto count = std::tuple_size_v<decltype(T::fields())>;
  if (record.type != T::name || record.fields.size() != count) return std::nullopt;
  auto const infos = describe_fields<T>();
  for (std::size_t i = 0; i < count; ++i)
    if (record.fields[i].first != infos[i].name || !set_field(object, i, record.fields[i].second))
      return std::nullopt;
  return object;
}

}  // namespace lbann
