// Callback: confusion matrix of predicted classes and labels.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "schemas/callbacks/model_view.hpp"
#include "schemas/callbacks/observed_values.hpp"
#include "schemas/callbacks/references.hpp"
#include "schemas/callbacks/reported_file.hpp"
#include "schemas/vocabulary/field.hpp"

namespace lbann::callbacks {

struct confusion_matrix {
  static constexpr std::string_view name = "confusion_matrix";
  static constexpr std::string_view summary =
      "Writes which part of the samples has each pair of predicted class, its row, and label, its "
      "column, at the end of every pass: `<prefix>train-epoch<e>.csv` after e epochs, "
      "`<prefix>validation-epoch<e>.csv`, `<prefix>test.csv`.";

  /// Maximum number of classes: each process stores a count for each pair of them.
  static constexpr std::int64_t most_classes = 10000;

  std::string prediction;
  std::string label;
  std::string prefix;

  static constexpr Reference references[] = {{"prediction", Referent::layer},
                                             {"label", Referent::layer}};

  static constexpr auto fields() {
    return std::tuple{
        field("prediction", &confusion_matrix::prediction, "Layer that predicts.",
              Presence::required),
        field("label", &confusion_matrix::label, "Layer of the labels.", Presence::required),
        written_path(field("prefix", &confusion_matrix::prefix,
                           "Beginning of the file names, in the folder of the run."))};
  }

  ObservedValues observes() const { return {.outputs = {{{prediction, label}, {}}}}; }
  std::vector<ReportedFile> reported() const {
    constexpr auto kind = ReportedFile::Kind::confusion_matrix;
    return {{kind, "training", prefix + "train-epoch*.csv"},
            {kind, "validation", prefix + "validation-epoch*.csv"},
            {kind, "test", prefix + "test.csv"}};
  }
  /// Both layers must have an output of equally many classes, at most `most_classes`.
  void check(ModelView const& model, Findings& findings) const;
};

}  // namespace lbann::callbacks
