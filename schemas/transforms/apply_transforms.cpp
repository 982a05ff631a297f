// Dispatch over all transforms.
#include "schemas/transforms/apply_transforms.hpp"

#include "schemas/vocabulary/field.hpp"

namespace lbann {

namespace {

template <std::size_t number>
std::optional<Transform> transform_from(Record const& record) {
  if constexpr (number == std::variant_size_v<Transform>) {
    return std::nullopt;
  } else {
    if (auto found = from_record<std::variant_alternative_t<number, Transform>>(record))
      return Transform(*std::move(found));
    return transform_from<number + 1>(record);
  }
}

}  // namespace

std::optional<Transform> transform_of(Record const& record) { return transform_from<0>(record); }

Result<SampleDims> dims_after(Transform const& transform, SampleDims const& dims) {
  return std::visit([&](auto const& one) { return one.dims_after(dims); }, transform);
}

bool takes_bytes(Transform const& transform) {
  return std::visit(
      [](auto const& one) { return requires { std::remove_cvref_t<decltype(one)>::takes_bytes; }; },
      transform);
}

bool is_random(Transform const& transform) {
  return std::visit(
      [](auto const& one) { return requires { std::remove_cvref_t<decltype(one)>::is_random; }; },
      transform);
}

void apply_transforms(std::span<Transform const> transforms, SampleValues& sample, PhiloxKey key,
                      std::int64_t epoch, std::int64_t index) {
  for (std::size_t position = 0; position < transforms.size(); ++position) {
    Draws draws(key, epoch, index, position);
    std::visit([&](auto const& one) { one.apply(sample, draws); }, transforms[position]);
  }
}

}  // namespace lbann
