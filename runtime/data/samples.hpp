// Samples of a data source, each a pure function of its number.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "schemas/plan/plan.hpp"

namespace lbann::runtime {

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

/// All samples of one reader, before any choice or order. Called from several threads at once.
class Samples {
 public:
  struct GivenField {
    std::string name;
    std::vector<std::int64_t> dims;  ///< of one sample; empty: whatever the plan says
  };

  virtual ~Samples() = default;
  virtual std::int64_t count() const = 0;
  virtual std::vector<GivenField> const& fields() const = 0;
  /// Writes field number `field` (of `fields()`) of sample `index` to `values`, which has room for
  /// it. Allocates nothing once every thread has read one sample.
  virtual Result<Success> read(std::int64_t index, std::size_t field,
                               FieldValues const& values) const = 0;
  /// Writes samples `indices` to `columns`, in this order; the problem names the sample. Readers
  /// that can do better than sample by sample override it.
  virtual Result<Success> read_batch(std::span<std::int64_t const> indices,
                                     std::span<FieldColumn const> columns) const;
  /// Where the user's data holds a field of a sample, as messages begin with it; empty where there
  /// is no more to say than its number.
  virtual std::string place(std::int64_t /*index*/, std::size_t /*field*/) const { return {}; }
  /// Samples that lie in a sequence: how many of those behind a sample share data with it. They are
  /// split by their place. -1: samples are independent of one another.
  virtual std::int64_t overlap() const { return -1; }
};

/// Samples of one role, chosen and in order, and who declared them.
struct Split {
  DataRole role = DataRole::train;
  DataSource const* source = nullptr;  ///< in the plan, which must outlive this
  std::shared_ptr<Samples const> samples;
  std::vector<std::int64_t> indices;  ///< in the order of epoch 0, if not shuffled of every epoch
  bool shuffle = false;               ///< every epoch has an order of its own
  std::vector<std::size_t> fields;    ///< per field of `source`: its number in `samples`
};

/// The first number that is not finite among samples `indices` of `split`, in words: file, field,
/// sample and entry. Nothing if there is none; fields whose place in `wanted` is null are left out.
/// Reads the samples again: for a run that has failed.
std::optional<std::string> find_not_finite(Plan const& plan, Split const& split,
                                           std::span<std::int64_t const> indices,
                                           std::span<std::byte* const> wanted);

struct Lookup;

/// Opens every reader of `plan`. Gives a split per role, and `validate` from the tail of the train
/// reader where it has a `validation_fraction` and the plan no reader of its own for it. Checks
/// what the plan tells of dims and numbers of samples; problems name the file and the line of the
/// experiment.
Result<std::vector<Split>> open_splits(Plan const& plan, Lookup const& lookup);

}  // namespace lbann::runtime
