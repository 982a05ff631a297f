#pragma once

#include "compiler/layers/elementwise.hpp"

namespace lbann::compiler::layers {

/// - y log x - (1 - y) log(1 - x), x a probability and y the truth, entry by entry. The first term
/// counts nothing unless y > 0, the second unless y < 1.
struct binary_cross_entropy : elementwise<binary_cross_entropy, 2> {
  static constexpr std::string_view name = "binary_cross_entropy";
  static constexpr std::string_view summary =
      "- y log x - (1 - y) log(1 - x): x a probability, y the truth.";
  static constexpr Values compares = Values::probabilities;
  static constexpr std::string_view made_of_scores_by = "sigmoid";

  static Term value(Term x, Term y) {
    // A logarithm that counts nothing is taken of 1, so that neither it nor its gradient is
    // infinite.
    auto const yes = of(Function::select, of(Function::less, 0.0, y), x, 1.0);
    auto const no = of(Function::select, of(Function::less, y, 1.0), 1.0 - x, 1.0);
    return -(y * of(Function::log, yes)) - (1.0 - y) * of(Function::log, no);
  }

  /// The same of x = sigmoid(score), for any score: log x is -log(1 + exp(-score)), and log(1 - x)
  /// is -log(1 + exp(score)).
  static Term value_of_score(Term score, Term y) {
    auto const yes = of(Function::softplus, -score), no = of(Function::softplus, score);
    return y * of(Function::select, of(Function::less, 0.0, y), yes, 0.0) +
           (1.0 - y) * of(Function::select, of(Function::less, y, 1.0), no, 0.0);
  }
};

}  // namespace lbann::compiler::layers
