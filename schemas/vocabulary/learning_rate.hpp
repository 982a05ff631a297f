// The terms that all fields of learning rates share.
#pragma once

#include "schemas/vocabulary/field.hpp"

namespace lbann {

/// The same field, a learning rate: above 1000 a warning tells that it cannot be meant.
template <class Owner>
constexpr Field<Owner, double> learning_rate(Field<Owner, double> field) {
  return usually(field, Range{.most = 1000},
                 "steps this large leave nothing of the weights that training starts from");
}

}  // namespace lbann
