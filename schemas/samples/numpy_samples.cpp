// One array, and the parts of a sample in it.
#include "schemas/samples/numpy_samples.hpp"

#include "schemas/vocabulary/shape.hpp"

namespace lbann {

namespace {

class NumpySamples final : public Samples {
 public:
  /// Part of the numbers of a sample.
  struct Part {
    std::int64_t first = 0;  ///< the first of them
    double scale = 1;
  };

  NumpySamples(NpyFile array, std::int64_t num_labels)
      : array_(std::move(array)),
        numbers_(elements_of({array_.dims.begin() + 1, array_.dims.end()})),
        num_labels_(num_labels) {}

  void add(GivenField field, Part part) {
    fields_.push_back(std::move(field));
    parts_.push_back(part);
  }

  std::int64_t count() const override { return array_.dims[0]; }
  std::vector<GivenField> const& fields() const override { return fields_; }

  Result<Success> load(bool checks_all) override {
    if (auto loaded = array_.load(checks_all); !loaded) return loaded;
    // A file of labels alone is small: a bad one is told before the run begins.
    if (fields_.size() > 1 || !is_labels(0) || num_labels_ == 0) return Success{};
    std::int64_t bad = -1;
    double wrong = 0;
    auto read = array_.each(0, count(), [&](std::int64_t i, double label) {
      if (bad >= 0 || is_label(label, num_labels_)) return;
      bad = i;
      wrong = label;
    });
    if (!read) return read;
    if (bad >= 0) return array_.file.problem(bad_label(wrong, num_labels_, bad).message);
    return Success{};
  }

  Result<Success> read(std::int64_t index, std::size_t field,
                       FieldValues const& values) const override {
    auto const first = index * numbers_ + parts_[field].first;
    if (!is_labels(field)) return array_.read(first, values, parts_[field].scale);
    double label = 0;
    auto done = array_.each(first, 1, [&](std::int64_t, double number) { label = number; });
    if (!done) return done;
    if (!is_label(label, values.count))
      return array_.file.problem(bad_label(label, values.count, index).message);
    set_one_hot(values, static_cast<std::int64_t>(label));
    return Success{};
  }

  std::string place(std::int64_t, std::size_t) const override {
    return "`" + array_.file.name() + "`";
  }

 private:
  bool is_labels(std::size_t field) const { return fields_[field].name == "labels"; }

  NpyFile array_;
  std::int64_t numbers_;  ///< of a sample
  std::int64_t num_labels_;
  std::vector<GivenField> fields_;
  std::vector<Part> parts_;  ///< per field
};

}  // namespace

OpenedSamples numpy_samples(NpyFile array, ArrayContent content, double scale,
                            std::int64_t num_labels, std::string const& name) {
  if (array.dims.empty()) return array.file.problem("it holds a single number, not samples");
  std::vector<std::int64_t> dims(array.dims.begin() + 1, array.dims.end());
  if (dims.empty()) dims.push_back(1);
  if (auto good = check_sample_dims(dims); !good) return array.file.problem(good.problem().message);
  auto const last = elements_of(dims) - 1;
  auto const class_dims =
      num_labels > 0 ? std::vector<std::int64_t>{num_labels} : std::vector<std::int64_t>{};
  auto const file = array.file;
  auto samples = std::make_unique<NumpySamples>(std::move(array), num_labels);
  switch (content) {
    case ArrayContent::samples:
      samples->add({name, dims}, {0, scale});
      break;
    case ArrayContent::responses:
      samples->add({"responses", dims}, {});
      break;
    case ArrayContent::labels:
      if (last > 0)
        return file.problem("it holds samples of " + to_text(Shape(dims)) +
                            ", not class numbers: one label per sample was expected");
      samples->add({"labels", class_dims}, {});
      break;
    case ArrayContent::samples_and_label:
    case ArrayContent::samples_and_response:
      if (last < 1)
        return file.problem(
            "its samples have a single number, none is left beside the label or response");
      samples->add({"samples", {last}}, {0, scale});
      if (content == ArrayContent::samples_and_label)
        samples->add({"labels", class_dims}, {last, 1});
      else
        samples->add({"responses", {1}}, {last, 1});
  }
  return std::unique_ptr<Samples>(std::move(samples));
}

}  // namespace lbann
