// THE table of cases of operators: at least one that each accepts, and what it refuses.
#pragma once

#include <vector>

#include "schemas/operators/operators.hpp"

namespace lbann::tests {

struct OperatorCase {
  Operator op;
  TensorTypes inputs;
  TensorTypes outputs;       ///< none: refused,
  char const* refusal = "";  ///< with these words
  std::int64_t flops = 0;    ///< for 3 samples
};

std::vector<OperatorCase> operator_cases();

}  // namespace lbann::tests
