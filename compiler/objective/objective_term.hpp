// The form of an objective term's declaration.
#pragma once

#include <string>
#include <vector>

#include "compiler/declarations/declaration.hpp"
#include "compiler/declarations/type_table.hpp"

namespace lbann::compiler {

// A declaration is a struct in `compiler/objective/<name>.hpp` with name, summary, fields,
// a member `double scale_factor` and one of
//
//     std::string layer;                 // the term is the mean of its output over samples
//     std::vector<std::string> weights;  // the term is half the sum of their squares; none: of
//                                        // all that are trained

/// An objective's term without its C++ type.
struct ObjectiveTermType {
  DeclarationType declaration;
  double (*scale_factor)(void const* term);
  std::string const* (*layer)(void const* term);  ///< null: a term of weights
};

/// The entry of `T` in the table of objective terms.
template <class T>
ObjectiveTermType objective_term_type() {
  return {declaration_type<T>(),
          [](void const* term) { return static_cast<T const*>(term)->scale_factor; },
          [](void const* term) -> std::string const* {
            if constexpr (requires { &T::layer; })
              return &static_cast<T const*>(term)->layer;
            else
              return void(term), nullptr;
          }};
}

/// All objective terms; `compiler/objective/meson.build` lists them.
class ObjectiveTermTypes : public TypeTable<ObjectiveTermType> {
 public:
  ObjectiveTermTypes();
};

}  // namespace lbann::compiler
