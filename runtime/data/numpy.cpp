// Samples, labels and responses from .npy files.
#include "runtime/data/numpy_samples.hpp"

namespace lbann::runtime {

namespace {

/// What one field is made of.
struct NumpyField {
  NpyFile array;
  std::int64_t numbers = 0;  ///< of the array per sample
  std::int64_t first = 0;    ///< the first of them that belongs to the field
  double scale = 1;
};

class NumpySamples final : public Samples {
 public:
  explicit NumpySamples(std::int64_t count) : count_(count) {}

  void add(GivenField field, NumpyField source) {
    fields_.push_back(std::move(field));
    sources_.push_back(std::move(source));
  }

  std::int64_t count() const override { return count_; }
  std::vector<GivenField> const& fields() const override { return fields_; }

  Result<Success> read(std::int64_t index, std::size_t field,
                       FieldValues const& values) const override {
    auto const& source = sources_[field];
    auto const first = index * source.numbers + source.first;
    if (fields_[field].name != "labels") return source.array.read(first, values, source.scale);
    double label = 0;
    auto done = source.array.each(first, 1, [&](std::int64_t, double number) { label = number; });
    if (!done) return done;
    if (!is_label(label, values.count))
      return source.array.file.problem(bad_label(label, values.count, index).message);
    set_one_hot(values, static_cast<std::int64_t>(label));
    return Success{};
  }

  std::string place(std::int64_t, std::size_t field) const override {
    return "`" + sources_[field].array.file.name() + "`";
  }

 private:
  std::int64_t count_;
  std::vector<GivenField> fields_;
  std::vector<NumpyField> sources_;
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

std::vector<std::int64_t> sample_dims(NpyFile const& array) {
  std::vector<std::int64_t> dims(array.dims.begin() + 1, array.dims.end());
  if (dims.empty()) dims.push_back(1);
  return dims;
}

Result<Success> check_labels(NpyFile const& labels, std::int64_t num_labels) {
  if (elements_of(labels.dims) != labels.dims[0])
    return labels.file.problem("one label per sample was expected");
  if (num_labels == 0) return Success{};
  std::int64_t bad = -1;
  double wrong = 0;
  auto read = labels.each(0, labels.dims[0], [&](std::int64_t i, double label) {
    if (bad >= 0 || is_label(label, num_labels)) return;
    bad = i;
    wrong = label;
  });
  if (!read) return read;
  if (bad >= 0) return labels.file.problem(bad_label(wrong, num_labels, bad).message);
  return Success{};
}

}  // namespace

OpenedSamples numpy_samples(NumpyArrays arrays, std::int64_t num_labels) {
  auto const count = arrays.data.dims[0];
  auto samples = std::make_shared<NumpySamples>(count);
  auto dims = sample_dims(arrays.data);
  auto const numbers = elements_of(dims);
  auto const last = numbers - 1;
  auto const class_dims =
      num_labels > 0 ? std::vector<std::int64_t>{num_labels} : std::vector<std::int64_t>{};
  if (arrays.last != LastNumber::of_sample) dims = {last};
  if (last < 1 && arrays.last != LastNumber::of_sample)
    return arrays.data.file.problem(
        "its samples have a single number, none is left beside the label or response");
  samples->add({"samples", dims}, {arrays.data, numbers, 0, arrays.scale});
  if (arrays.last == LastNumber::label)
    samples->add({"labels", class_dims}, {arrays.data, numbers, last, 1});
  if (arrays.last == LastNumber::response)
    samples->add({"responses", {1}}, {arrays.data, numbers, last, 1});
  if (arrays.labels) {
    if (auto good = check_labels(*arrays.labels, num_labels); !good) return good.problem();
    samples->add({"labels", class_dims}, {std::move(*arrays.labels), 1, 0, 1});
  }
  if (arrays.responses) {
    auto const of_response = sample_dims(*arrays.responses);
    auto const width = elements_of(of_response);
    samples->add({"responses", of_response}, {std::move(*arrays.responses), width, 0, 1});
  }
  return std::shared_ptr<Samples const>(std::move(samples));
}

OpenedSamples open_samples(data_readers::numpy const& reader, Lookup const& lookup) {
  auto data = read_array(reader, reader.data_filename, -1, lookup);
  if (!data) return data.problem();
  auto const count = data.value().dims[0];
  NumpyArrays arrays{std::move(data).value(), {}, {}, LastNumber::of_sample, reader.scale};
  if (!reader.disable_labels) arrays.last = LastNumber::label;
  if (!reader.disable_responses) arrays.last = LastNumber::response;
  if (!reader.label_filename.empty()) {
    auto labels = read_array(reader, reader.label_filename, count, lookup);
    if (!labels) return labels.problem();
    arrays.labels = std::move(labels).value();
  }
  if (!reader.response_filename.empty()) {
    auto responses = read_array(reader, reader.response_filename, count, lookup);
    if (!responses) return responses.problem();
    arrays.responses = std::move(responses).value();
  }
  return numpy_samples(std::move(arrays), reader.num_labels);
}

}  // namespace lbann::runtime
