// A confusion matrix as a table.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "schemas/vocabulary/result.hpp"

namespace lbann::runtime {

/// Fractions of all samples: a row for each predicted class, a column for each label.
struct ConfusionMatrix {
  std::size_t classes = 0;
  std::vector<double> fractions;

  double at(std::size_t predicted, std::size_t label) const {
    return fractions[predicted * classes + label];
  }
  /// The part of the samples with this label that have this prediction; 0 without such samples.
  double part_of_label(std::size_t predicted, std::size_t label) const;
  double accuracy() const;
};

/// Reads what `confusion_matrix` has written. Problems name the file and the line.
Result<ConfusionMatrix> read_confusion_matrix(std::filesystem::path const& path);

/// A table of per cents of each label; of many classes the pairs that are confused most.
std::string table_of(ConfusionMatrix const& matrix);

}  // namespace lbann::runtime
