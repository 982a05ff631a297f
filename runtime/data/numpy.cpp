// Samples, labels and responses from .npy files.
#include <cmath>

#include "runtime/data/npy_file.hpp"
#include "runtime/data/readers.hpp"

namespace lbann::runtime {

namespace {

class NumpySamples final : public Samples {
 public:
  explicit NumpySamples(std::int64_t count) : count_(count) {}

  void add(GivenField field, NpyFile array, double scale) {
    fields_.push_back(std::move(field));
    arrays_.push_back(std::move(array));
    scales_.push_back(scale);
  }

  std::int64_t count() const override { return count_; }
  std::vector<GivenField> const& fields() const override { return fields_; }

  Result<Success> read(std::int64_t index, std::size_t field,
                       FieldValues const& values) const override {
    auto const& array = arrays_[field];
    if (fields_[field].name == "labels") {
      array.each(index, 1, [&](std::int64_t, double label) {
        set_one_hot(values, static_cast<std::int64_t>(label));
      });
    } else {
      auto const scale = scales_[field];
      array.each(index * values.count, values.count,
                 [&](std::int64_t i, double number) { values.set(i, number * scale); });
    }
    return Success{};
  }

 private:
  std::int64_t count_;
  std::vector<GivenField> fields_;
  std::vector<NpyFile> arrays_;
  std::vector<double> scales_;
};

/// The array at `name`, whose first axis must count `samples` (-1: any number of) samples.
Result<NpyFile> read_array(data_readers::numpy const& reader, std::string const& name,
                           std::int64_t samples, Lookup const& lookup) {
  auto const path = lookup.find(reader.data_filedir, name);
  if (!path) return path.problem();
  auto array = read_npy_file(path.value());
  if (!array) return array;
  auto const& dims = array.value().dims;
  if (dims.empty()) return Problem{"`" + path.value() + "` has no axis that counts samples"};
  if (samples >= 0 && dims[0] != samples)
    return Problem{"`" + path.value() + "` holds " + std::to_string(dims[0]) + " samples, `" +
                   reader.data_filename + "` " + std::to_string(samples)};
  return array;
}

std::optional<Problem> find_bad_label(NpyFile const& labels, std::string const& name,
                                      std::int64_t num_labels) {
  if (elements_of(labels.dims) != labels.dims[0])
    return Problem{"`" + name + "`: one label per sample was expected"};
  std::optional<Problem> problem;
  labels.each(0, labels.dims[0], [&](std::int64_t i, double label) {
    if (problem ||
        (label >= 0 && label < static_cast<double>(num_labels) && label == std::floor(label)))
      return;
    problem = Problem{"`" + name + "`: label " + std::to_string(i) +
                      " is not one of 0 to num_labels - 1 = " + std::to_string(num_labels - 1)};
  });
  return problem;
}

}  // namespace

OpenedSamples open_samples(data_readers::numpy const& reader, Lookup const& lookup) {
  auto data = read_array(reader, reader.data_filename, -1, lookup);
  if (!data) return data.problem();
  auto const count = data.value().dims[0];
  auto const sample_dims = [](NpyFile const& array) {
    std::vector<std::int64_t> dims(array.dims.begin() + 1, array.dims.end());
    if (dims.empty()) dims.push_back(1);
    return dims;
  };
  auto samples = std::make_shared<NumpySamples>(count);
  auto dims = sample_dims(data.value());
  samples->add({"samples", dims}, std::move(data).value(), reader.scale);
  if (!reader.label_filename.empty()) {
    auto labels = read_array(reader, reader.label_filename, count, lookup);
    if (!labels) return labels.problem();
    if (auto bad = find_bad_label(labels.value(), reader.label_filename, reader.num_labels))
      return *bad;
    samples->add({"labels", {reader.num_labels}}, std::move(labels).value(), 1);
  }
  if (!reader.response_filename.empty()) {
    auto responses = read_array(reader, reader.response_filename, count, lookup);
    if (!responses) return responses.problem();
    dims = sample_dims(responses.value());
    samples->add({"responses", dims}, std::move(responses).value(), 1);
  }
  return std::shared_ptr<Samples const>(std::move(samples));
}

}  // namespace lbann::runtime
