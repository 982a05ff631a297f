// Samples whose labels do not come from their data.
#include "schemas/samples/gan_labels.hpp"

#include <algorithm>

namespace lbann {

namespace {

std::size_t place_of_labels(std::vector<data_readers::GivenField> const& fields) {
  auto const found = std::ranges::find(fields, "labels", &data_readers::GivenField::name);
  return static_cast<std::size_t>(found - fields.begin());
}

class GanLabelledSamples final : public Samples {
 public:
  GanLabelledSamples(std::unique_ptr<Samples> samples, std::int64_t value)
      : samples_(std::move(samples)),
        fields_(with_gan_labels(samples_->fields())),
        labels_(place_of_labels(fields_)),
        value_(value) {}

  std::int64_t count() const override { return samples_->count(); }
  std::vector<GivenField> const& fields() const override { return fields_; }
  Result<Success> load(bool checks_all) override { return samples_->load(checks_all); }
  Result<Success> read(std::int64_t index, std::size_t field,
                       FieldValues const& values) const override {
    if (field != labels_) return samples_->read(index, field, values);
    set_one_hot(values, value_);
    return Success{};
  }
  Result<Success> read_whole(std::int64_t index, std::size_t field,
                             SampleValues& sample) const override {
    return field == labels_ ? Samples::read_whole(index, field, sample)
                            : samples_->read_whole(index, field, sample);
  }
  Result<Success> read_batch(std::span<std::int64_t const> indices,
                             std::span<FieldColumn const> columns) const override {
    thread_local std::vector<FieldColumn> others;
    others.clear();
    for (auto const& column : columns) {
      if (column.field != labels_) {
        others.push_back(column);
        continue;
      }
      for (std::size_t i = 0; i < indices.size(); ++i)
        set_one_hot(column.at(static_cast<std::int64_t>(i)), value_);
    }
    return samples_->read_batch(indices, others);
  }
  Result<Success> pack(std::int64_t index, std::vector<std::byte>& bytes) const override {
    return samples_->pack(index, bytes);
  }
  Result<Success> unpack(std::span<std::byte const> bytes, std::int64_t index, std::size_t field,
                         SampleValues& sample) const override {
    return field == labels_ ? Samples::read_whole(index, field, sample)
                            : samples_->unpack(bytes, index, field, sample);
  }
  void start_epoch(std::int64_t seed, std::int64_t epoch) override {
    samples_->start_epoch(seed, epoch);
  }
  bool takes_whole_batches() const override { return samples_->takes_whole_batches(); }
  std::string place(std::int64_t index, std::size_t field) const override {
    return field == labels_ ? std::string() : samples_->place(index, field);
  }
  bool is_drawn() const override { return samples_->is_drawn(); }
  std::int64_t overlap() const override { return samples_->overlap(); }
  bool is_costly() const override { return samples_->is_costly(); }

 private:
  std::unique_ptr<Samples> samples_;
  std::vector<GivenField> fields_;
  std::size_t labels_;
  std::int64_t value_;
};

}  // namespace

std::vector<data_readers::GivenField> with_gan_labels(std::vector<data_readers::GivenField> given) {
  auto const place = place_of_labels(given);
  if (place == given.size()) given.emplace_back();
  given[place] = {"labels", {2}};
  return given;
}

std::unique_ptr<Samples> with_gan_labels(std::unique_ptr<Samples> samples, std::int64_t value) {
  return std::make_unique<GanLabelledSamples>(std::move(samples), value);
}

}  // namespace lbann
