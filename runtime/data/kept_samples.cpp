// Lock-free cache of samples in memory.
#include "runtime/data/kept_samples.hpp"

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <cstring>

#include "schemas/vocabulary/shape.hpp"

namespace lbann::runtime {

namespace {

enum State : std::uint8_t { absent, being_stored, stored };

/// One field of all samples; zeroed memory, whose pages are allocated at their first write.
class KeptField {
 public:
  KeptField(std::int64_t samples, std::int64_t elements)
      : elements_(elements),
        values_(std::calloc(static_cast<std::size_t>(samples * elements + 1), sizeof(double))),
        states_(static_cast<std::atomic<State>*>(
            std::calloc(static_cast<std::size_t>(samples + 1), sizeof(std::atomic<State>)))) {}
  KeptField(KeptField&&) = delete;
  ~KeptField() {
    std::free(values_);
    std::free(states_);
  }

  bool good() const { return values_ != nullptr && states_ != nullptr; }

  /// Copies sample `index` to `values` if it is stored in their type.
  bool load(std::int64_t index, FieldValues const& values) const {
    if (states_[index].load(std::memory_order_acquire) != stored || type_ != values.type)
      return false;
    std::memcpy(values.data, address(index, values.type), bytes(values.type));
    return true;
  }

  /// Stores `values` if they have the type of the first sample stored, unless another thread does.
  void store(std::int64_t index, FieldValues const& values) {
    auto none = untyped;
    if (!type_.compare_exchange_strong(none, values.type) && none != values.type) return;
    auto expected = absent;
    if (!states_[index].compare_exchange_strong(expected, being_stored)) return;
    std::memcpy(address(index, values.type), values.data, bytes(values.type));
    states_[index].store(stored, std::memory_order_release);
  }

 private:
  std::size_t bytes(DataType type) const {
    return static_cast<std::size_t>(elements_) * bytes_of(type);
  }
  std::byte* address(std::int64_t index, DataType type) const {
    return static_cast<std::byte*>(values_) + static_cast<std::size_t>(index) * bytes(type);
  }

  static constexpr auto untyped = static_cast<DataType>(0xff);

  std::int64_t elements_;
  std::atomic<DataType> type_ = untyped;
  void* values_;
  std::atomic<State>* states_;
};

/// Whether the reader says how many elements a sample has; those of other fields are as the model
/// takes them.
bool has_dims(Samples::GivenField const& field) {
  return !field.dims.empty() && std::ranges::count(field.dims, 0) == 0;
}

class KeptSamples final : public Samples {
 public:
  explicit KeptSamples(std::shared_ptr<Samples const> samples) : samples_(std::move(samples)) {
    for (auto const& field : samples_->fields())
      kept_.push_back(has_dims(field)
                          ? std::make_unique<KeptField>(samples_->count(), elements_of(field.dims))
                          : nullptr);
  }

  bool good() const {
    return std::ranges::all_of(kept_,
                               [](auto const& field) { return field == nullptr || field->good(); });
  }
  std::int64_t count() const override { return samples_->count(); }
  std::vector<GivenField> const& fields() const override { return samples_->fields(); }

  Result<Success> read(std::int64_t index, std::size_t field,
                       FieldValues const& values) const override {
    if (kept_[field] == nullptr) return samples_->read(index, field, values);
    if (kept_[field]->load(index, values)) return Success{};
    auto done = samples_->read(index, field, values);
    if (done) kept_[field]->store(index, values);
    return done;
  }

  Result<Success> read_whole(std::int64_t index, std::size_t field,
                             SampleValues& sample) const override {
    if (kept_[field] == nullptr) return samples_->read_whole(index, field, sample);
    return Samples::read_whole(index, field, sample);
  }

  std::string place(std::int64_t index, std::size_t field) const override {
    return samples_->place(index, field);
  }

 private:
  std::shared_ptr<Samples const> samples_;
  std::vector<std::unique_ptr<KeptField>> kept_;  ///< null of fields without dims of their own
};

}  // namespace

std::shared_ptr<Samples const> keep(std::shared_ptr<Samples const> samples) {
  std::int64_t of_one_sample = 0;
  for (auto const& field : samples->fields()) {
    if (!has_dims(field)) continue;
    auto const elements = checked_product(field.dims);
    if (!elements || *elements > most_kept_bytes) return samples;
    of_one_sample += *elements * static_cast<std::int64_t>(sizeof(double));
    if (of_one_sample > most_kept_bytes) return samples;
  }
  if (of_one_sample == 0 || samples->count() > most_kept_bytes / of_one_sample) return samples;
  auto kept = std::make_shared<KeptSamples>(samples);
  if (!kept->good()) return samples;
  return kept;
}

}  // namespace lbann::runtime
