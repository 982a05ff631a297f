// Labels, sizes, and samples one by one.
#include "schemas/samples/samples.hpp"

#include <cmath>
#include <cstdio>

#include "schemas/samples/packed_values.hpp"
#include "schemas/vocabulary/shape.hpp"

namespace lbann {

std::int64_t elements_of(std::vector<std::int64_t> const& dims) {
  std::int64_t product = 1;
  for (auto size : dims) product *= size;
  return product;
}

Result<Success> check_sample_dims(std::vector<std::int64_t> const& dims) {
  for (auto size : dims)
    if (size < 1) return Problem{"an axis of its samples is empty"};
  if (!checked_product(dims)) return Problem{"its samples are too large to count"};
  return Success{};
}

void set_one_hot(FieldValues const& values, std::int64_t label) {
  for (std::int64_t i = 0; i < values.count; ++i) values.set(i, i == label ? 1 : 0);
}

bool is_label(double label, std::int64_t classes) {
  return label >= 0 && label < static_cast<double>(classes) && label == std::floor(label);
}

Problem bad_label(double label, std::int64_t classes, std::int64_t index) {
  char text[32];
  std::snprintf(text, sizeof(text), "%.10g", label);
  auto const whose =
      index < 0 ? std::string() : " of sample " + std::to_string(index) + " (the first is 0)";
  return {"label " + std::string(text) + whose +
          " is not one of 0 to num_labels - 1 = " + std::to_string(classes - 1)};
}

Result<Success> Samples::read_whole(std::int64_t index, std::size_t field,
                                    SampleValues& sample) const {
  sample.dims = fields()[field].dims;
  auto const count = elements_of(sample.dims);
  sample.values.resize(static_cast<std::size_t>(count));
  return read(index, field, {sample.values.data(), DataType::f64, count});
}

Result<Success> Samples::pack(std::int64_t index, std::vector<std::byte>& bytes) const {
  thread_local SampleValues sample;
  for (std::size_t field = 0; field < fields().size(); ++field) {
    if (auto read = read_whole(index, field, sample); !read) return read;
    pack_values(sample, bytes);
  }
  return Success{};
}

Result<Success> Samples::unpack(std::span<std::byte const> bytes, std::int64_t, std::size_t field,
                                SampleValues& sample) const {
  unpack_values(bytes, field, sample);
  return Success{};
}

Result<Success> Samples::read_batch(std::span<std::int64_t const> indices,
                                    std::span<FieldColumn const> columns) const {
  for (auto const& column : columns)
    for (std::size_t i = 0; i < indices.size(); ++i) {
      auto const done = read(indices[i], column.field, column.at(static_cast<std::int64_t>(i)));
      if (!done)
        return Problem{"sample " + std::to_string(indices[i]) + ": " + done.problem().message};
    }
  return Success{};
}

}  // namespace lbann
