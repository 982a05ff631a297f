#pragma once

#include "compiler/layers/layer.hpp"

namespace lbann::compiler::layers {

/// Entries with t = 0 count nothing, whatever y is.
struct cross_entropy {
  static constexpr std::string_view name = "cross_entropy";
  static constexpr std::string_view summary =
      "- sum t log y over all entries of a sample: y probabilities, t truth.";
  static constexpr std::string_view shapes =
      "y [n...], t [n...] -> z [1]; with `use_labels` y [c, n...], t [1, n...] -> z [1]";
  static constexpr std::string_view formula =
      "z = - sum over i: t[i] log(y[i]), terms with t[i] = 0 left out; i over all entries of "
      "the sample\n"
      "with `use_labels`: z = - sum over i: log(y[floor(t[i]), i]), i over positions\n"
      "with `label_smoothing` s and c classes, (1 - s) t[i] + s / c takes the place of t[i], of a "
      "label as of the one-hot vector that it stands for\n"
      "dy[i] = - dz t[i] / y[i], dt[i] = - dz log(y[i]); 0 where t[i] = 0\n"
      "after a softmax both are one operator: the softmax gets dz (y sum over j: t[j] - t)";
  static constexpr LayerExample example{"probabilities=10 truth=10",
                                        "- cross_entropy: {parents: [probabilities, truth]}"};
  static constexpr Arity parents{2, 2}, children{1, 1};
  static constexpr Values compares = Values::probabilities;
  static constexpr std::string_view made_of_scores_by = "softmax";

  bool use_labels = false;
  double label_smoothing = 0;

  static constexpr auto fields() {
    return std::tuple{
        field("use_labels", &cross_entropy::use_labels,
              "The truth is the number of a class at each position."),
        field("label_smoothing", &cross_entropy::label_smoothing,
              "Part of the truth that is spread over all classes; as in PyTorch, 0.1 is usual. "
              "Without `use_labels` samples are [classes].",
              zero_to_below_one)};
  }

  std::optional<std::vector<Dims>> output_dims(LayerContext const& context) const;
  void lower(LoweringContext& lowering) const;
  bool compares_inputs() const { return !use_labels; }
};

}  // namespace lbann::compiler::layers
