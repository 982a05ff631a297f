// Samples drawn from a seed when they are asked for.
#include <cmath>
#include <numbers>

#include "schemas/samples/list.hpp"
#include "schemas/vocabulary/philox.hpp"

namespace lbann {

namespace {

class SyntheticSamples final : public Samples {
 public:
  explicit SyntheticSamples(data_readers::synthetic const& reader) : count_(reader.num_samples) {
    auto const role = reader_role(reader.role);
    for (auto const& given : reader.gives()) {
      if (given.name == "labels") label_field_ = static_cast<std::int64_t>(fields_.size());
      fields_.push_back({given.name, given.dims});
      keys_.push_back(random_key(reader.seed, random_name("synthetic/" + role + "/" + given.name)));
    }
  }

  std::int64_t count() const override { return count_; }
  bool is_costly() const override { return true; }
  std::vector<GivenField> const& fields() const override { return fields_; }

  Result<Success> read(std::int64_t index, std::size_t field,
                       FieldValues const& values) const override {
    auto const key = keys_[field];
    if (static_cast<std::int64_t>(field) == label_field_) {
      auto const word = philox(random_counter(0, index, 0), key)[0];
      set_one_hot(values,
                  static_cast<std::int64_t>(unit_double(word) * static_cast<double>(values.count)));
      return Success{};
    }
    for (std::int64_t i = 0; i < values.count; i += 4) {
      auto const words = philox(random_counter(0, index, i / 4), key);
      for (std::int64_t k = 0; k < 4 && i + k < values.count; k += 2) {
        // Box and Muller, "A note on the generation of random normal deviates", 1958.
        auto const at = static_cast<std::size_t>(k);
        auto const radius = std::sqrt(-2 * std::log(1 - unit_double(words[at])));
        auto const angle = 2 * std::numbers::pi * unit_double(words[at + 1]);
        values.set(i + k, radius * std::cos(angle));
        if (i + k + 1 < values.count) values.set(i + k + 1, radius * std::sin(angle));
      }
    }
    return Success{};
  }

 private:
  std::int64_t count_;
  std::vector<GivenField> fields_;
  std::int64_t label_field_ = -1;
  std::vector<PhiloxKey> keys_;  ///< per field
};

}  // namespace

std::vector<SampleSource> sources_of(data_readers::synthetic const& reader, OpenContext const&) {
  return {source_of_nothing([=]() -> OpenedSamples {
    if (reader.num_samples < 1) return Problem{"num_samples must be positive"};
    for (auto size : reader.synth_dimensions)
      if (size < 1) return Problem{"synth_dimensions must be positive"};
    return opened<SyntheticSamples>(reader);
  })};
}

}  // namespace lbann
