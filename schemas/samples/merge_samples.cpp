// Files that match a pattern, each opened by the reader of its format.
#include <algorithm>

#include "schemas/samples/list.hpp"
#include "schemas/samples/open_samples.hpp"

namespace lbann {

namespace {

/// The samples of all parts, one part after the other.
class MergedSamples final : public Samples {
 public:
  /// Adds the samples of `file`; a problem if their fields are not those of the files before.
  Result<Success> add(std::string const& file, std::unique_ptr<Samples> part) {
    if (!parts_.empty() && !same_fields(part->fields(), fields()))
      return Problem{"`" + file + "`: its samples have other dims than those of the files before"};
    ends_.push_back(count() + part->count());
    parts_.push_back(std::move(part));
    return Success{};
  }

  std::int64_t count() const override { return ends_.empty() ? 0 : ends_.back(); }
  std::vector<GivenField> const& fields() const override { return parts_.front()->fields(); }
  bool is_costly() const override { return parts_.front()->is_costly(); }

  Result<Success> load(bool checks_all) override {
    for (auto& part : parts_)
      if (auto loaded = part->load(checks_all); !loaded) return loaded;
    return Success{};
  }
  Result<Success> read(std::int64_t index, std::size_t field,
                       FieldValues const& values) const override {
    auto const [part, of_part] = find(index);
    return part.read(of_part, field, values);
  }
  std::string place(std::int64_t index, std::size_t field) const override {
    auto const [part, of_part] = find(index);
    return part.place(of_part, field);
  }

 private:
  struct Found {
    Samples const& part;
    std::int64_t index;
  };

  static bool same_fields(std::vector<GivenField> const& a, std::vector<GivenField> const& b) {
    return std::ranges::equal(a, b, [](GivenField const& x, GivenField const& y) {
      return x.name == y.name && x.dims == y.dims;
    });
  }

  Found find(std::int64_t index) const {
    auto const part =
        static_cast<std::size_t>(std::ranges::upper_bound(ends_, index) - ends_.begin());
    return {*parts_[part], index - (part > 0 ? ends_[part - 1] : 0)};
  }

  std::vector<std::unique_ptr<Samples>> parts_;
  std::vector<std::int64_t> ends_;  ///< per part: samples up to its end
};

OpenedSamples open_merged(data_readers::merge_samples const& reader, OpenContext const& context,
                          std::vector<std::string> const& found) {
  auto merged = std::make_unique<MergedSamples>();
  for (auto const& path : found) {
    auto const open = [&](auto of_one) {
      of_one.data_filename = path;
      return open_samples(of_one, {{}, context.python});
    };
    auto part = reader.format == data_readers::MergedFormat::csv ? open(reader.csv_reader())
                                                                 : open(reader.numpy_reader());
    if (!part) return part.problem();
    if (auto added = merged->add(path, std::move(part).value()); !added) return added.problem();
  }
  return std::unique_ptr<Samples>(std::move(merged));
}

}  // namespace

std::vector<SampleSource> sources_of(data_readers::merge_samples const& reader,
                                     OpenContext const& context) {
  auto source = source_of_files(
      "data_file_pattern", reader.data_filedir,
      context.places.match(reader.data_filedir, reader.data_file_pattern), {"samples"},
      [=](std::vector<std::string> const& found) { return open_merged(reader, context, found); });
  source.are_parts = true;
  return {source};
}

}  // namespace lbann
