// Every index moved by the first of the range.
#include "schemas/samples/sample_range.hpp"

namespace lbann {

namespace {

class RangeOfSamples final : public Samples {
 public:
  RangeOfSamples(std::unique_ptr<Samples> samples, std::int64_t first, std::int64_t count)
      : samples_(std::move(samples)), first_(first), count_(count) {}

  std::int64_t count() const override { return count_; }
  std::vector<GivenField> const& fields() const override { return samples_->fields(); }
  Result<Success> load(bool checks_all) override { return samples_->load(checks_all); }
  Result<Success> read(std::int64_t index, std::size_t field,
                       FieldValues const& values) const override {
    return samples_->read(first_ + index, field, values);
  }
  Result<Success> read_whole(std::int64_t index, std::size_t field,
                             SampleValues& sample) const override {
    return samples_->read_whole(first_ + index, field, sample);
  }
  Result<Success> read_batch(std::span<std::int64_t const> indices,
                             std::span<FieldColumn const> columns) const override {
    thread_local std::vector<std::int64_t> moved;
    moved.assign(indices.begin(), indices.end());
    for (auto& index : moved) index += first_;
    return samples_->read_batch(moved, columns);
  }
  Result<Success> pack(std::int64_t index, std::vector<std::byte>& bytes) const override {
    return samples_->pack(first_ + index, bytes);
  }
  Result<Success> unpack(std::span<std::byte const> bytes, std::int64_t index, std::size_t field,
                         SampleValues& sample) const override {
    return samples_->unpack(bytes, first_ + index, field, sample);
  }
  bool takes_whole_batches() const override { return samples_->takes_whole_batches(); }
  std::string place(std::int64_t index, std::size_t field) const override {
    return samples_->place(first_ + index, field);
  }
  std::int64_t overlap() const override { return samples_->overlap(); }
  bool is_costly() const override { return samples_->is_costly(); }

 private:
  std::unique_ptr<Samples> samples_;
  std::int64_t first_, count_;
};

}  // namespace

Result<std::int64_t> count_in_range(std::vector<std::int64_t> const& range, std::int64_t count) {
  if (range.empty()) return count;
  if (range.size() != 2 || range[0] < 0 || range[0] >= range[1])
    return Problem{
        "sample_range is the first sample and the one behind the last, as in `[0, 800]`"};
  if (count >= 0 && range[1] > count)
    return Problem{"sample_range ends at " + std::to_string(range[1]) + ", the data holds " +
                   std::to_string(count) + " samples"};
  return range[1] - range[0];
}

OpenedSamples in_range(std::unique_ptr<Samples> samples, std::vector<std::int64_t> const& range) {
  auto const count = count_in_range(range, samples->count());
  if (!count) return count.problem();
  if (range.empty()) return samples;
  if (samples->is_drawn()) return Problem{"sample_range: its samples are drawn at random"};
  return opened<RangeOfSamples>(std::move(samples), range[0], count.value());
}

}  // namespace lbann
