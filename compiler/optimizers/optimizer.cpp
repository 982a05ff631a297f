// The table of optimizers.
#include "compiler/optimizers/optimizer.hpp"

#include "compiler/optimizers/adagrad.hpp"
#include "compiler/optimizers/adam.hpp"
#include "compiler/optimizers/hypergradient_adam.hpp"
#include "compiler/optimizers/no_optimizer.hpp"
#include "compiler/optimizers/rmsprop.hpp"
#include "compiler/optimizers/sgd.hpp"

namespace lbann::compiler {

namespace {

template <class T>
constexpr bool learns_rate() {
  if constexpr (requires { T::learns_rate; })
    return T::learns_rate;
  else
    return false;
}

template <class T>
OptimizerType optimizer_type() {
  return {declaration_type<T>(),
          T::trains,
          learns_rate<T>(),
          [](void const* object) { return static_cast<T const*>(object)->learning_rate(); },
          [](void const* object) { return static_cast<T const*>(object)->moments(); },
          [](void const* object) { return static_cast<T const*>(object)->counters(); },
          [](void const* object, Updating& updating) {
            static_cast<T const*>(object)->update(updating);
          }};
}

}  // namespace

OptimizerTypes::OptimizerTypes()
    : types_{optimizer_type<optimizers::no_optimizer>(),
             optimizer_type<optimizers::sgd>(),
             optimizer_type<optimizers::adam>(),
             optimizer_type<optimizers::adagrad>(),
             optimizer_type<optimizers::rmsprop>(),
             optimizer_type<optimizers::hypergradient_adam>()} {}

OptimizerType const* OptimizerTypes::find(std::string_view name) const {
  for (auto const& type : types_)
    if (type.declaration.name == name) return &type;
  return nullptr;
}

std::vector<OptimizerType const*> OptimizerTypes::all() const {
  std::vector<OptimizerType const*> all;
  for (auto const& type : types_) all.push_back(&type);
  return all;
}

}  // namespace lbann::compiler
