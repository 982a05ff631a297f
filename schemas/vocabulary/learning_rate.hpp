// The terms that all fields of learning rates share.
#pragma once

#include "schemas/vocabulary/field.hpp"

namespace lbann {

/// The same field, a learning rate: above 100 a warning tells that it cannot be meant.
template <class Owner>
constexpr Field<Owner, double> learning_rate(Field<Owner, double> field) {
  return usually(field, Range{.most = 100},
                 "steps this large leave nothing of the weights that training starts from");
}

/// The same of an optimizer that divides by the size of gradients: above 0.5 it warns.
template <class Owner>
constexpr Field<Owner, double> normalized_learning_rate(Field<Owner, double> field) {
  return usually(field, Range{.most = 0.5},
                 "each step moves every weight by about as much, whatever its gradient");
}

}  // namespace lbann
