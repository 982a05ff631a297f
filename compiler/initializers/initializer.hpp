// The form of an initializer's declaration: fields, and how it fills weights.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "compiler/declarations/declaration.hpp"
#include "compiler/declarations/type_table.hpp"
#include "schemas/operators/operators.hpp"
#include "schemas/vocabulary/data_statistic.hpp"

namespace lbann::compiler {

/// What an initializer knows of the weights it fills.
struct InitContext {
  Shape shape;
  DataType type = DataType::f32;
  std::int64_t key = 0;            ///< stable hash of the weights' name, for `random`
  double fan_in = 0, fan_out = 0;  ///< 0: the layer defines none
  std::size_t width_dims = 0;      ///< trailing dims that are the width of LBANN's matrix
};

// A declaration is a struct in `compiler/initializers/<name>.hpp` with name, summary, fields and
//
//     static constexpr bool needs_fans;
//     // A `map` without operands, `constant` or `random`. An initializer with a member `file` or
//     // `statistic_of` has none: a run takes the numbers from there before its first step.
//     Operator fill(InitContext const& context) const;
//     // Only where numbers are given one by one: how many.
//     std::size_t given_values() const;

/// An initializer without its C++ type.
struct InitializerType {
  DeclarationType declaration;
  bool needs_fans;  ///< an error where the layer defines no fans
  /// Nothing where a run takes the numbers from a file or from its data.
  std::optional<Operator> (*fill)(void const* initializer, InitContext const& context);
  std::optional<std::size_t> (*given_values)(void const* initializer);
  std::string (*file)(void const* initializer);  ///< empty: none
  /// The data field and what of it the numbers are; an empty name: none.
  std::pair<std::string, DataStatistic> (*data_statistic)(void const* initializer);
};

/// The entry of `T` in the table of initializers.
template <class T>
InitializerType initializer_type() {
  return {declaration_type<T>(),
          T::needs_fans,
          [](void const* object, InitContext const& context) -> std::optional<Operator> {
            if constexpr (requires { &T::fill; })
              return static_cast<T const*>(object)->fill(context);
            else
              return void(object), void(context), std::nullopt;
          },
          [](void const* object) -> std::optional<std::size_t> {
            if constexpr (requires { &T::given_values; })
              return static_cast<T const*>(object)->given_values();
            else
              return void(object), std::nullopt;
          },
          [](void const* object) -> std::string {
            if constexpr (requires { &T::file; })
              return static_cast<T const*>(object)->file;
            else
              return void(object), std::string();
          },
          [](void const* object) -> std::pair<std::string, DataStatistic> {
            if constexpr (requires { &T::statistic_of; })
              return {static_cast<T const*>(object)->statistic_of(),
                      static_cast<T const*>(object)->statistic};
            else
              return void(object), std::pair<std::string, DataStatistic>();
          }};
}

/// All initializers; `compiler/initializers/meson.build` lists them.
class InitializerTypes : public TypeTable<InitializerType> {
 public:
  InitializerTypes();
  /// What weights have for which neither the user nor a layer says how they begin: the first of
  /// the list.
  InitializerType const& standard() const { return *all().front(); }
};

}  // namespace lbann::compiler
