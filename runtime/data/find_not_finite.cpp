// Finds a number that is not finite by reading samples again.
#include <cmath>
#include <cstdio>

#include "runtime/data/splits.hpp"
#include "schemas/plan/location.hpp"

namespace lbann::runtime {

namespace {

std::string number_text(double number) {
  char text[32];
  std::snprintf(text, sizeof(text), "%.10g", number);
  return text;
}

/// A field of a sample in double, and which of its entries is the first that `type` cannot hold as
/// a finite number; -1 if it can hold all or the sample cannot be read.
struct ReadAgain {
  std::vector<double> values;
  std::int64_t at = -1;
};

ReadAgain read_again(Samples const& samples, std::int64_t index, std::size_t field,
                     std::int64_t count, DataType type) {
  ReadAgain result{std::vector<double>(static_cast<std::size_t>(count)), -1};
  FieldValues const values{result.values.data(), DataType::f64, count};
  if (!samples.read(index, field, values)) return result;
  for (std::int64_t i = 0; i < count && result.at < 0; ++i) {
    auto const value = result.values[static_cast<std::size_t>(i)];
    bool const finite =
        type == DataType::f32 ? std::isfinite(static_cast<float>(value)) : std::isfinite(value);
    if (!finite) result.at = i;
  }
  return result;
}

}  // namespace

std::optional<std::string> find_not_finite(Plan const& plan, Split const& split,
                                           std::span<std::int64_t const> indices,
                                           std::span<std::byte* const> wanted) {
  auto const& source = *split.source;
  for (auto const index : indices)
    for (std::size_t i = 0; i < source.fields.size() && i < wanted.size(); ++i) {
      if (wanted[i] == nullptr) continue;
      auto const& field = source.fields[i];
      auto const type = plan.program[field.tensor].type.type;
      auto const found =
          read_again(*split.samples, index, split.fields[i], elements_of(field.dims), type);
      if (found.at < 0) continue;
      auto const value = found.values[static_cast<std::size_t>(found.at)];
      auto prefix = split.samples->place(index, split.fields[i]);
      if (!prefix.empty()) prefix += ": ";
      auto const value_text = std::isfinite(value) ? number_text(value) + ", more than an f32 holds"
                                                   : std::string(std::isnan(value) ? "nan"
                                                                 : value > 0       ? "inf"
                                                                                   : "-inf");
      return located(plan.sources, source.reader.span,
                     "reader `" + source.reader.record.type + "`, " + prefix + "entry " +
                         std::to_string(found.at) + " of field `" + field.name + "` of sample " +
                         std::to_string(index) + " (the first is 0) is " + value_text);
    }
  return std::nullopt;
}

}  // namespace lbann::runtime
