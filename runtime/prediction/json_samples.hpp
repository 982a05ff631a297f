// Samples and predictions as lines of JSON.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/prediction/sample_field.hpp"
#include "schemas/vocabulary/result.hpp"

namespace lbann::runtime {

/// The values of a request, per field sample after sample.
struct JsonRequest {
  std::int64_t samples = 0;
  std::vector<std::vector<std::byte>> values;
};

/// A line `{"<field>": [sample, ...], ...}` with all of `fields`, or, where there is one field, the
/// list alone. A sample is a list of all its numbers, or lists in lists in the sizes of its dims,
/// axes of size 1 aside; a single number may stand by itself. Problems say what is wrong where.
Result<JsonRequest> parse_request(std::string_view line, std::vector<SampleField> const& fields);

/// `{"<field>": [[...], ...], ...}`: a list of predictions, each in lists of the sizes of its dims,
/// numbers in the shortest form that reads as the same number, `null` for what is not finite.
/// `values` per field as in a request.
std::string answer_text(std::vector<SampleField> const& fields,
                        std::vector<std::vector<std::byte>> const& values, std::int64_t samples);

/// `{"error": "..."}`.
std::string error_text(std::string const& message);

}  // namespace lbann::runtime
