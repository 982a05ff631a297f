// Members of a declaration described once: reading, printing, encoding and documentation follow.
#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
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

/// Whether what a declared thing asks for exists: `unimplemented` things are declared, but not
/// supported yet; `ignored` ones are accepted and change nothing, for a reason.
enum class Support : std::uint8_t { implemented, unimplemented, ignored };

/// What is said of a member, whatever its type: its name in the language, a sentence about it, its
/// unit (or empty), the numbers it may hold. A number outside of them as default stands for "left
/// out". What is said of support holds for every value but the default.
struct FieldTerms {
  std::string_view name;
  std::string_view doc;
  Presence presence = Presence::optional;
  std::string_view unit = {};
  Range range = {};
  Support support = Support::implemented;
  std::string_view reason = {};   ///< why it is ignored
  bool path = false;              ///< it tells where data lies, not what they are
  bool written = false;           ///< a path, or the beginning of one, that a run writes to
  Range usual = {};               ///< numbers outside of it are accepted with a warning
  std::string_view unusual = {};  ///< what is to be expected of those
  std::span<std::string_view const> choices = {};  ///< of a list of texts: what each must be
  std::string_view pair = {};  ///< of a list of texts: what stands between the two words of each
};

/// One member: its terms and where it lies.
template <class Owner, class Member>
struct Field : FieldTerms {
  Member Owner::*member;
};

template <class Owner, class Member>
constexpr Field<Owner, Member> field(std::string_view name, Member Owner::*member,
                                     std::string_view doc, Presence presence = Presence::optional,
                                     std::string_view unit = {}, Range range = {}) {
  return {{name, doc, presence, unit, range}, member};
}

template <class Owner, class Member>
constexpr Field<Owner, Member> field(std::string_view name, Member Owner::*member,
                                     std::string_view doc, Range range,
                                     Presence presence = Presence::optional) {
  return {{name, doc, presence, {}, range}, member};
}

/// The same field, not supported yet.
template <class Owner, class Member>
constexpr Field<Owner, Member> unimplemented(Field<Owner, Member> field) {
  field.support = Support::unimplemented;
  return field;
}

/// The same field, accepted without effect.
template <class Owner, class Member>
constexpr Field<Owner, Member> ignored(Field<Owner, Member> field, std::string_view reason) {
  field.support = Support::ignored;
  field.reason = reason;
  return field;
}

/// The same field, a text or a list of texts that tells where data lies: two plans that differ in
/// it mean the same.
template <class Owner, class Member>
constexpr Field<Owner, Member> path(Field<Owner, Member> field) {
  static_assert(std::is_same_v<Member, std::string> ||
                std::is_same_v<Member, std::vector<std::string>>);
  field.path = true;
  return field;
}

/// The same field, a path that a run writes to, or the beginning of such paths. It must stay in the
/// folder that it is taken from (`stays_within`): only the command line names other folders.
template <class Owner>
constexpr Field<Owner, std::string> written_path(Field<Owner, std::string> field) {
  field = path(field);
  field.written = true;
  return field;
}

/// The same field, a list of texts each of which is one of `choices`.
template <class Owner>
constexpr Field<Owner, std::vector<std::string>> some_of(
    Field<Owner, std::vector<std::string>> field, std::span<std::string_view const> choices) {
  field.choices = choices;
  return field;
}

/// The same field, a list of texts of two words with `between` them, for which a mapping of one to
/// the other may stand.
template <class Owner>
constexpr Field<Owner, std::vector<std::string>> pairs(Field<Owner, std::vector<std::string>> field,
                                                       std::string_view between) {
  field.pair = between;
  return field;
}

/// The same field, whose numbers outside of `range` are accepted with a warning that tells `why`.
template <class Owner, class Member>
constexpr Field<Owner, Member> usually(Field<Owner, Member> field, Range range,
                                       std::string_view why) {
  field.usual = range;
  field.unusual = why;
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
  std::vector<std::string_view> choices;  ///< for `choice`, and for `texts` that are such
  Value default_value;
  Range range = {};
  Support support = Support::implemented;
  std::string_view reason = {};
  bool path = false;
  bool written = false;
  Range usual = {};
  std::string_view unusual = {};
  std::string_view pair = {};
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

template <class T>
constexpr std::span<std::string_view const> choices_of() {
  if constexpr (std::is_enum_v<T>)
    return enum_names<T>;
  else
    return {};
}

}  // namespace detail

/// What handles members of one C++ type.
struct MemberType {
  FieldKind kind;
  std::span<std::string_view const> choices;  ///< for `choice`
  Value (*get)(void const* member);
  bool (*set)(void* member, Value const& value);  ///< false for a value that it cannot hold
};

template <class T>
inline constexpr MemberType member_type = {
    detail::kind_of<T>(), detail::choices_of<T>(),
    [](void const* member) { return detail::to_value(*static_cast<T const*>(member)); },
    [](void* member, Value const& value) {
      return detail::from_value(value, *static_cast<T*>(member));
    }};

/// A field of one object, without C++ types: all below is compiled once and not for each type.
struct FieldView {
  FieldTerms const* terms;
  MemberType const* type;
  void const* member;

  Value value() const { return type->get(member); }
};

/// The fields of `object`, in their order.
template <class T>
std::vector<FieldView> fields_of(T const& object) {
  static constexpr auto fields = T::fields();
  return std::apply(
      [&](auto const&... each) {
        return std::vector<FieldView>{
            {&each, &member_type<std::remove_cvref_t<decltype(object.*(each.member))>>,
             &(object.*(each.member))}...};
      },
      fields);
}

/// A declaration's name with the values of all its fields, in their order: how data readers,
/// callbacks and operators travel in texts and plans.
struct Record {
  std::string type;
  std::vector<std::pair<std::string, Value>> fields;

  friend bool operator==(Record const&, Record const&) = default;
};

/// Descriptions of fields, the defaults being those of the object they are of.
std::vector<FieldInfo> describe_fields(std::span<FieldView const> fields);

Record to_record(std::string_view type, std::span<FieldView const> fields);

/// Gives the fields of an object that is not const what `record` holds; false if names, order or
/// kinds are not theirs.
bool fill_fields(std::span<FieldView const> fields, Record const& record);

/// Sets one field of an object that is not const; false if `value` is not of its kind (or not
/// among its choices).
bool set_field(FieldView const& field, Value const& value);

template <class T>
std::vector<FieldInfo> describe_fields() {
  return describe_fields(fields_of(T{}));
}

template <class T>
Record to_record(T const& object) {
  return to_record(T::name, fields_of(object));
}

/// The object a record tells of; nothing if names, order or kinds of its fields are not those of
/// `T`.
template <class T>
std::optional<T> from_record(Record const& record) {
  std::optional<T> object;
  if (record.type == T::name && !fill_fields(fields_of(object.emplace()), record)) object.reset();
  return object;
}

}  // namespace lbann
