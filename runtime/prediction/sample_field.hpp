// One tensor of a sample: a data field, or what is predicted.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "schemas/vocabulary/data_type.hpp"

namespace lbann::runtime {

struct SampleField {
  std::string name;
  DataType type = DataType::f32;   ///< f32 or f64
  std::vector<std::int64_t> dims;  ///< of one sample

  std::int64_t elements() const {
    std::int64_t product = 1;
    for (auto const size : dims) product *= size;
    return product;
  }
  std::size_t bytes() const { return static_cast<std::size_t>(elements()) * bytes_of(type); }
};

}  // namespace lbann::runtime
