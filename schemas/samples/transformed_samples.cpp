// Each value is read into memory of the thread, changed there, and written in the wanted type.
#include "schemas/samples/transformed_samples.hpp"

#include <algorithm>

#include "schemas/transforms/apply_transforms.hpp"
#include "schemas/vocabulary/shape.hpp"

namespace lbann {

namespace {

class TransformedSamples final : public Samples {
 public:
  /// `transforms`: per field of `samples`.
  TransformedSamples(std::shared_ptr<Samples const> samples, std::vector<GivenField> fields,
                     std::vector<std::vector<Transform>> transforms, std::int64_t name)
      : samples_(std::move(samples)),
        fields_(std::move(fields)),
        transforms_(std::move(transforms)),
        name_(name) {}

  std::int64_t count() const override { return samples_->count(); }
  std::vector<GivenField> const& fields() const override { return fields_; }
  std::int64_t overlap() const override { return samples_->overlap(); }
  bool takes_whole_batches() const override { return samples_->takes_whole_batches(); }
  std::string place(std::int64_t index, std::size_t field) const override {
    return samples_->place(index, field);
  }
  void start_epoch(std::int64_t seed, std::int64_t epoch) override {
    key_ = random_key(seed, name_);
    epoch_ = epoch;
  }

  Result<Success> read(std::int64_t index, std::size_t field,
                       FieldValues const& values) const override {
    if (is_same(field)) return samples_->read(drawn(index), field, values);
    thread_local SampleValues sample;
    if (auto read = samples_->read_whole(drawn(index), field, sample); !read) return read;
    if (sample.dims != fixed_dims(field))
      if (auto fit = check_dims(field, sample.dims); !fit) return fit;
    apply_transforms(transforms_[field], sample, key_, epoch_, index);
    for (std::int64_t i = 0; i < values.count; ++i)
      values.set(i, sample.values[static_cast<std::size_t>(i)]);
    return Success{};
  }

  /// Columns that nothing changes are left to the reader, which may know better than one sample
  /// after the other.
  Result<Success> read_batch(std::span<std::int64_t const> indices,
                             std::span<FieldColumn const> columns) const override {
    thread_local std::vector<FieldColumn> changed, same;
    changed.clear();
    same.clear();
    for (auto const& column : columns) (is_same(column.field) ? same : changed).push_back(column);
    thread_local std::vector<std::int64_t> of_epoch;
    of_epoch.clear();
    for (auto const index : indices) of_epoch.push_back(drawn(index));
    if (!same.empty())
      if (auto read = samples_->read_batch(of_epoch, same); !read) return read;
    return changed.empty() ? Success{} : Samples::read_batch(indices, changed);
  }

 private:
  /// The sample of this epoch.
  std::int64_t drawn(std::int64_t index) const {
    return samples_->is_drawn() ? index + epoch_ * samples_->count() : index;
  }
  /// Whether the reader's values and dims are left as they are.
  bool is_same(std::size_t field) const {
    return transforms_[field].empty() && fixed_dims(field) == fields_[field].dims;
  }
  SampleDims const& fixed_dims(std::size_t field) const { return samples_->fields()[field].dims; }

  /// Whether a sample of dims of its own comes to those of all.
  Result<Success> check_dims(std::size_t field, SampleDims dims) const {
    for (auto const& transform : transforms_[field]) {
      auto after = dims_after(transform, dims);
      if (!after)
        return Problem{
            std::visit([](auto const& one) { return "`" + std::string(one.name) + "` "; },
                       transform) +
            after.problem().message};
      dims = std::move(after).value();
    }
    if (dims == fields_[field].dims) return Success{};
    return Problem{"it comes to " + to_text(Shape(dims)) + ", not " +
                   to_text(Shape(fields_[field].dims))};
  }

  std::shared_ptr<Samples const> samples_;
  std::vector<GivenField> fields_;
  std::vector<std::vector<Transform>> transforms_;
  std::int64_t name_;
  PhiloxKey key_{};
  std::int64_t epoch_ = 0;
};

}  // namespace

Result<std::shared_ptr<Samples>> with_transforms(std::shared_ptr<Samples const> samples,
                                                 std::vector<FieldTransforms> transforms,
                                                 std::vector<Samples::GivenField> const& expected,
                                                 std::string const& role) {
  auto fields = samples->fields();
  std::vector<std::vector<Transform>> of_fields(fields.size());
  for (auto& [name, list] : transforms) {
    auto const found = std::ranges::find(fields, name, &data_readers::GivenField::name);
    if (found == fields.end())
      return Problem{"transforms change field `" + name + "`, which the reader does not give"};
    for (auto& transform : list) {
      auto after = dims_after(transform, found->dims);
      if (!after)
        return Problem{
            std::visit([](auto const& one) { return "`" + std::string(one.name) + "` "; },
                       transform) +
            after.problem().message};
      found->dims = std::move(after).value();
      of_fields[static_cast<std::size_t>(found - fields.begin())].push_back(std::move(transform));
    }
  }
  for (auto& field : fields) {
    auto const open = std::ranges::find(field.dims, 0) != field.dims.end();
    auto const found = std::ranges::find(expected, field.name, &data_readers::GivenField::name);
    if (open && found != expected.end()) field.dims = found->dims;
  }
  return std::shared_ptr<Samples>(std::make_shared<TransformedSamples>(
      std::move(samples), std::move(fields), std::move(of_fields),
      random_name("transforms/" + role)));
}

}  // namespace lbann
