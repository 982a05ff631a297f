// Expressions of scalar functions as people write them: `y = x / (1 + abs(x))`.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "schemas/expression/expression.hpp"

namespace lbann::compiler {

/// What stands for operands and for certain constants.
struct Symbols {
  std::vector<std::string> operands;
  std::vector<std::pair<double, std::string_view>> constants;
};

/// `result = expression`, of an expression with one output; what it uses several times follows in
/// lines of its own, `  a = ...`. `[x < y]` is 1 where that holds, else 0. No line end at the end.
std::string in_notation(Expression const& expression, std::string_view result,
                        Symbols const& symbols);

}  // namespace lbann::compiler
