// Samples in the binary files of CIFAR.
#pragma once

#include <string>
#include <vector>

#include "schemas/samples/sample_source.hpp"

namespace lbann {

/// Records of `labels` bytes of labels and 3072 of image.
struct CifarFormat {
  std::int64_t labels = 1;    ///< of a record
  std::int64_t label = 0;     ///< which of them is given
  std::int64_t classes = 10;  ///< of that one
};

/// A source of files that are read as one.
SampleSource cifar_source(std::string const& folder, std::vector<std::string> const& names,
                          CifarFormat format, double scale);

}  // namespace lbann
