// Samples whose fields come from several sources.
#pragma once

#include "schemas/samples/samples.hpp"

namespace lbann {

/// The fields of all parts, in their order; sample i is sample i of each part.
class JoinedSamples final : public Samples {
 public:
  /// The part behind those before it; a problem if it has another number of samples.
  Result<Success> add(std::unique_ptr<Samples> part);

  /// The only part by itself, or all of them.
  static std::unique_ptr<Samples> single(JoinedSamples joined);

  std::int64_t count() const override { return parts_.front()->count(); }
  std::vector<GivenField> const& fields() const override { return fields_; }
  bool is_drawn() const override { return parts_.front()->is_drawn(); }
  Result<Success> load(bool checks_all) override;
  Result<Success> read(std::int64_t index, std::size_t field,
                       FieldValues const& values) const override;
  std::string place(std::int64_t index, std::size_t field) const override;

 private:
  struct Place {
    std::size_t part, field;
  };

  std::vector<std::unique_ptr<Samples>> parts_;
  std::vector<GivenField> fields_;
  std::vector<Place> places_;  ///< per field: where it is
};

/// Nothing if a source of `count` samples fits those before it, of which there are `before`
/// samples, -1 if there are none.
Result<Success> check_count(std::int64_t count, std::int64_t before);

}  // namespace lbann
