// Programs written without distributions, for tests of what comes after the pass `distribute`.
#pragma once

#include "schemas/program/program.hpp"

namespace lbann::tests {

/// `program` with the mini-batch of every tensor that has one split over the axis `data`.
inline Program with_batch_split(Program program) {
  for (auto& tensor : program.tensors) {
    if (!tensor.type.shape.has_batch() || !tensor.distribution.split.empty()) continue;
    for (auto const& extent : tensor.type.shape.extents)
      tensor.distribution.split.push_back(extent.batch ? std::vector<std::string>{"data"}
                                                       : std::vector<std::string>{});
  }
  return program;
}

}  // namespace lbann::tests
