// The table of initializers.
#include "compiler/initializers/initializer.hpp"

#include "compiler/initializers/constant_initializer.hpp"
#include "compiler/initializers/normal_initializer.hpp"
#include "compiler/initializers/numpy_initializer.hpp"
#include "compiler/initializers/uniform_initializer.hpp"
#include "compiler/initializers/value_initializer.hpp"
#include "compiler/initializers/variance_scaling.hpp"

namespace lbann::compiler {

namespace {

template <class T>
InitializerType initializer_type() {
  return {declaration_type<T>(), T::needs_fans,
          [](void const* object, Filling const& filling) -> std::optional<Operator> {
            if constexpr (requires { &T::fill; })
              return static_cast<T const*>(object)->fill(filling);
            else
              return void(object), void(filling), std::nullopt;
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
          }};
}

}  // namespace

InitializerTypes::InitializerTypes()
    : types_{initializer_type<initializers::constant_initializer>(),
             initializer_type<initializers::uniform_initializer>(),
             initializer_type<initializers::normal_initializer>(),
             initializer_type<initializers::value_initializer>(),
             initializer_type<initializers::numpy_initializer>(),
             initializer_type<initializers::glorot_normal_initializer>(),
             initializer_type<initializers::glorot_uniform_initializer>(),
             initializer_type<initializers::he_normal_initializer>(),
             initializer_type<initializers::he_uniform_initializer>(),
             initializer_type<initializers::lecun_normal_initializer>(),
             initializer_type<initializers::lecun_uniform_initializer>()} {}

InitializerType const* InitializerTypes::find(std::string_view name) const {
  for (auto const& type : types_)
    if (type.declaration.name == name) return &type;
  return nullptr;
}

std::vector<InitializerType const*> InitializerTypes::all() const {
  std::vector<InitializerType const*> all;
  for (auto const& type : types_) all.push_back(&type);
  return all;
}

}  // namespace lbann::compiler
