// Samples of a data reader, each a pure function of its number and, where it is changed at random,
// of seed and epoch.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "schemas/data_readers/reader.hpp"
#include "schemas/transforms/sample_values.hpp"
#include "schemas/vocabulary/data_type.hpp"
#include "schemas/vocabulary/result.hpp"

namespace lbann {

/// Values of one field of one sample, to be written.
struct FieldValues {
  void* data = nullptr;
  DataType type = DataType::f32;  ///< f32 or f64
  std::int64_t count = 0;

  /// Sets value `index`, rounded to the type.
  void set(std::int64_t index, double value) const {
    if (type == DataType::f32)
      static_cast<float*>(data)[index] = static_cast<float>(value);
    else
      static_cast<double*>(data)[index] = value;
  }
};

/// One field of several samples, to be written one behind the other.
struct FieldColumn {
  std::size_t field = 0;  ///< number among `fields()`
  FieldValues first;      ///< of the first sample

  /// Of sample number `place` of the column.
  FieldValues at(std::int64_t place) const {
    auto const bytes = first.count * static_cast<std::int64_t>(bytes_of(first.type));
    return {static_cast<std::byte*>(first.data) + place * bytes, first.type, first.count};
  }
};

/// All samples of one reader, before any choice or order. Opening them has learnt their number and
/// their fields from no more of the data than tells these; `load` must come before the first
/// `read`.
class Samples {
 public:
  /// `dims` of one sample; empty: whatever the plan says.
  using GivenField = data_readers::GivenField;

  virtual ~Samples() = default;
  virtual std::int64_t count() const = 0;
  virtual std::vector<GivenField> const& fields() const = 0;
  /// Brings to memory what is kept there, and checks what only all of it can tell. With
  /// `checks_all` files that are too large to be kept are read through once for that.
  virtual Result<Success> load(bool /*checks_all*/) { return Success{}; }
  /// Writes field number `field` (of `fields()`) of sample `index` to `values`, which has room for
  /// it. Called from several threads at once. Allocates nothing once every thread has read one
  /// sample.
  virtual Result<Success> read(std::int64_t index, std::size_t field,
                               FieldValues const& values) const = 0;
  /// The whole of a field of a sample in double, with its dims, which `fields()` may leave open
  /// (0). As `read` otherwise.
  virtual Result<Success> read_whole(std::int64_t index, std::size_t field,
                                     SampleValues& sample) const;
  /// Appends to `bytes` what a data store keeps of a sample: all its fields can be made of it
  /// again, bit for bit. Readers of files that are smaller than their values keep the files' bytes.
  virtual Result<Success> pack(std::int64_t index, std::vector<std::byte>& bytes) const;
  /// `read_whole`, of what `pack` gave for the sample.
  virtual Result<Success> unpack(std::span<std::byte const> bytes, std::int64_t index,
                                 std::size_t field, SampleValues& sample) const;
  /// What is drawn at random from here on. Not while another thread reads.
  virtual void start_epoch(std::int64_t /*seed*/, std::int64_t /*epoch*/) {}
  /// Writes samples `indices` to `columns`, in this order; the problem names the sample. Readers
  /// that can do better than sample by sample override it.
  virtual Result<Success> read_batch(std::span<std::int64_t const> indices,
                                     std::span<FieldColumn const> columns) const;
  /// Whether `read_batch` itself makes samples side by side, so that it is best given all of a
  /// mini-batch; else several threads call it, each for a part.
  virtual bool takes_whole_batches() const { return false; }
  /// Where the user's data holds a field of a sample, as messages begin with it; empty where there
  /// is no more to say than its number.
  virtual std::string place(std::int64_t /*index*/, std::size_t /*field*/) const { return {}; }
  /// Whether every epoch has samples of its own: `index + epoch * count()` is one of epoch `epoch`.
  virtual bool is_drawn() const { return false; }
  /// Samples that lie in a sequence: how many of those behind a sample share data with it. They are
  /// split by their place. -1: samples are independent of one another.
  virtual std::int64_t overlap() const { return -1; }
  /// Whether a sample costs more to make than to copy, so that it is worth keeping.
  virtual bool is_costly() const { return false; }
};

using OpenedSamples = Result<std::unique_ptr<Samples>>;

/// New samples of type `T`.
template <class T, class... Arguments>
OpenedSamples opened(Arguments&&... arguments) {
  return std::unique_ptr<Samples>(std::make_unique<T>(std::forward<Arguments>(arguments)...));
}

/// Elements of one sample of these sizes.
std::int64_t elements_of(std::vector<std::int64_t> const& dims);

/// Sizes of samples that a file announces: none may be empty, and their product must fit an int64.
Result<Success> check_sample_dims(std::vector<std::int64_t> const& dims);

/// Sets `values` to zero but for a one at `label`.
void set_one_hot(FieldValues const& values, std::int64_t label);

/// Whether a number that was read is one of the classes 0 to `classes` - 1.
bool is_label(double label, std::int64_t classes);
/// What to say of one that is not: of sample `index`, or of none (-1) where the place tells whose.
Problem bad_label(double label, std::int64_t classes, std::int64_t index = -1);

}  // namespace lbann
