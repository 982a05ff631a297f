// Role by role, sample by sample.
#include "runtime/inspection/describe_data.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "runtime/inspection/field_summary.hpp"
#include "runtime/inspection/plan_data.hpp"
#include "runtime/observation/image_sheet.hpp"
#include "runtime/process/exit_code.hpp"
#include "runtime/process/fail.hpp"
#include "schemas/files/standard_streams.hpp"
#include "schemas/vocabulary/image_dims.hpp"

namespace lbann::runtime {

namespace {

/// Images of each role, at most.
constexpr std::size_t most_images = 2 * ImageSheet::images_in_a_row;

/// One field of the samples of a role.
struct Field {
  std::string name;
  std::vector<std::int64_t> dims;
  FieldSummary summary;
  bool shown = false;
  std::vector<std::vector<double>> images;
  std::vector<double> values = {};
};

class Description {
 public:
  Description(PlanData& data, ImageSheet& sheet) : data_(data), sheet_(sheet) {}

  /// The lines of one role, called `role`.
  Result<std::vector<std::string>> role(Split const& split, std::string const& role) {
    auto const& source = *split.source;
    std::vector<Field> fields;
    for (auto const& field : source.fields) {
      fields.push_back({field.name,
                        field.dims,
                        FieldSummary(field.dims),
                        field.dims.size() == 3 && !image_dims(field.dims).empty(),
                        {}});
      fields.back().values.resize(static_cast<std::size_t>(elements_of(field.dims)));
    }
    for (auto const index : split.indices)
      if (auto read = take(split, index, fields); !read) return read.problem();
    std::vector<std::string> lines{fmt::format("{} : {} samples of reader `{}`", role,
                                               split.indices.size(), source.reader.record.type)};
    for (auto const& field : fields) {
      auto const figures = field.summary.lines();
      lines.push_back(fmt::format("  `{}` [{}] : {}", field.name, fmt::join(field.dims, ", "),
                                  figures.front()));
      for (std::size_t i = 1; i < figures.size(); ++i) lines.push_back("    " + figures[i]);
      sheet_.add(field.dims, field.images);
    }
    return lines;
  }

 private:
  Result<Success> take(Split const& split, std::int64_t index, std::vector<Field>& fields) {
    std::vector<FieldColumn> columns;
    for (std::size_t i = 0; i < fields.size(); ++i)
      columns.push_back({split.fields[i],
                         {fields[i].values.data(), DataType::f64,
                          static_cast<std::int64_t>(fields[i].values.size())}});
    if (auto read = data_.read(split, index, columns); !read) return read;
    for (auto& field : fields) {
      field.summary.add(field.values);
      if (field.shown && field.images.size() < most_images) field.images.push_back(field.values);
    }
    return Success{};
  }

  PlanData& data_;
  ImageSheet& sheet_;
};

}  // namespace

int describe_data(RunOptions const& run, std::filesystem::path const& images) {
  auto const data = PlanData::open(run);
  if (!data) return fail(data.problem(), exit_file);
  ImageSheet sheet;
  Description description(*data.value(), sheet);
  for (auto const& [role, split] : data.value()->splits()) {
    auto const lines = description.role(split, role);
    if (!lines) return fail(lines.problem(), exit_file);
    auto const printed = print(fmt::format("{}\n", fmt::join(lines.value(), "\n")));
    if (!printed) return fail(printed.problem(), exit_file);
  }
  if (images.empty()) return exit_good;
  if (sheet.empty())
    return fail("no field holds images of 1 or 3 channels: " + images.string() + " is not written",
                exit_file);
  auto const written = sheet.write(images);
  return written ? exit_good : fail(written.problem(), exit_file);
}

}  // namespace lbann::runtime
