// Callback: which classes are taken for each other.
#pragma once

#include <string>
#include <string_view>
#include <tuple>

#include "schemas/vocabulary/field.hpp"

namespace lbann::callbacks {

struct confusion_matrix {
  static constexpr std::string_view name = "confusion_matrix";
  static constexpr std::string_view summary =
      "Writes how often each class was taken for each other, at the end of every pass: rows are "
      "labels, "
      "columns predictions, in `<prefix><phase>-epoch<e>.csv`.";

  std::string prediction;
  std::string label;
  std::string prefix;

  static constexpr auto fields() {
    return std::tuple{
        field("prediction", &confusion_matrix::prediction, "Layer that predicts.",
              Presence::required),
        field("label", &confusion_matrix::label, "Layer of the labels.", Presence::required),
        field("prefix", &confusion_matrix::prefix, "Beginning of the file names.")};
  }
};

}  // namespace lbann::callbacks
