// Samples as their transforms leave them.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "schemas/samples/samples.hpp"
#include "schemas/transforms/list.hpp"

namespace lbann {

/// Transforms of one field, in their order.
struct FieldTransforms {
  std::string field;
  std::vector<Transform> transforms;
};

/// `samples` with the fields of `transforms` changed. What is drawn at random depends on seed,
/// epoch, `role` and the number of the sample. Dims that then are still those of each sample for
/// itself must be those of `expected`, which every sample is checked for. Problems: a field that
/// there is not, dims that a transform is not made for.
Result<std::shared_ptr<Samples>> with_transforms(std::shared_ptr<Samples const> samples,
                                                 std::vector<FieldTransforms> transforms,
                                                 std::vector<Samples::GivenField> const& expected,
                                                 std::string const& role);

}  // namespace lbann
