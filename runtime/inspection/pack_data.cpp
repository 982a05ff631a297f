// Sample by sample to the arrays of a file.
#include "runtime/inspection/pack_data.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "runtime/inspection/plan_data.hpp"
#include "runtime/prediction/row_file.hpp"
#include "runtime/process/exit_code.hpp"
#include "runtime/process/fail.hpp"
#include "schemas/files/standard_streams.hpp"

namespace lbann::runtime {

namespace {

/// One field of the samples, and the array that it goes to.
struct PackedField {
  SampleField array;
  bool is_class = false;        ///< one-hot in the data, a number in the file
  std::int64_t classes = 0;     ///< of those
  std::vector<std::byte> read;  ///< a sample as the reader gives it
  DataType type = DataType::f32;
};

class Packing {
 public:
  Packing(PlanData& data, Split const& split, std::filesystem::path out)
      : data_(data), split_(split), out_(std::move(out)) {}

  /// Finds the array of each field.
  Result<Success> prepare() {
    for (auto const& field : split_.source->fields) {
      auto const type = data_.plan().program[field.tensor].type.type;
      PackedField packed{{field.name, type, field.dims}, false, 0, {}, type};
      if (field.name == "labels" && field.dims.size() == 1) {
        packed.array = {field.name, DataType::i32, {}};
        packed.is_class = true;
        packed.classes = field.dims[0];
      } else if (field.name == "labels" && !is_hdf5(out_)) {
        return Problem{
            "labels in an .npz file that `numpy_npz` reads are numbers of classes, these have "
            "several axes; pack them to an .h5 file"};
      }
      packed.read.resize(static_cast<std::size_t>(elements_of(field.dims)) * bytes_of(type));
      fields_.push_back(std::move(packed));
    }
    return Success{};
  }

  Result<Success> write() {
    std::vector<SampleField> arrays;
    for (auto const& field : fields_) arrays.push_back(field.array);
    auto file = RowFile::create(out_, arrays, static_cast<std::int64_t>(split_.indices.size()));
    if (!file) return file.problem();
    for (auto const index : split_.indices) {
      auto row = read(index);
      if (!row) return row.problem();
      if (auto added = file.value()->add(1, row.value()); !added) return added;
    }
    return file.value()->finish();
  }

  /// The reader that reads the file.
  std::string reader(std::string const& role) const {
    auto text = is_hdf5(out_) ? fmt::format(
                                    "hdf5: {{role: {}, data_file_pattern: {}, one_sample_per_file: "
                                    "false, datasets: {{",
                                    role, out_.string())
                              : fmt::format("numpy_npz: {{role: {}, data_filename: {}, arrays: {{",
                                            role, out_.string());
    std::string labels;
    for (std::size_t i = 0; i < fields_.size(); ++i) {
      auto const& field = fields_[i];
      text += fmt::format("{}{}: {}", i == 0 ? "" : ", ", field.array.name, field.array.name);
      if (field.array.name == "labels")
        labels = field.is_class ? fmt::format(", num_labels: {}", field.classes)
                                : ", hdf5_hyperslab_labels: true";
    }
    return text + "}" + labels + "}";
  }

 private:
  using Row = std::vector<std::span<std::byte const>>;

  Result<Row> read(std::int64_t index) {
    std::vector<FieldColumn> columns;
    for (std::size_t i = 0; i < fields_.size(); ++i) {
      auto& field = fields_[i];
      columns.push_back({split_.fields[i],
                         {field.read.data(), field.type,
                          static_cast<std::int64_t>(field.read.size() / bytes_of(field.type))}});
    }
    if (auto done = data_.read(split_, index, columns); !done) return done.problem();
    Row row;
    for (auto& field : fields_) {
      if (field.is_class) {
        auto const label = field.type == DataType::f64 ? class_of<double>(field.read)
                                                       : class_of<float>(field.read);
        if (label < 0)
          return Problem{
              fmt::format("the labels of sample {} are not one-hot: the file would hold numbers of "
                          "classes",
                          index)};
        std::memcpy(field.read.data(), &label, sizeof label);
        row.emplace_back(field.read.data(), sizeof label);
      } else {
        row.emplace_back(field.read);
      }
    }
    return row;
  }

  /// The place of the only one among zeros; -1 if they are others.
  template <class T>
  static std::int32_t class_of(std::vector<std::byte> const& bytes) {
    std::vector<T> values(bytes.size() / sizeof(T));
    std::memcpy(values.data(), bytes.data(), values.size() * sizeof(T));
    auto const one = std::ranges::find(values, T{1});
    auto const zeros = std::ranges::count(values, T{0});
    bool const is_one_hot =
        one != values.end() && zeros + 1 == static_cast<std::ptrdiff_t>(values.size());
    return is_one_hot ? static_cast<std::int32_t>(one - values.begin()) : -1;
  }

  PlanData& data_;
  Split const& split_;
  std::filesystem::path out_;
  std::vector<PackedField> fields_;
};

}  // namespace

bool can_pack(std::filesystem::path const& path) {
  return path.extension() == ".npz" || is_hdf5(path);
}

int pack_data(RunOptions const& run, std::filesystem::path const& out, std::string const& role) {
  auto const data = PlanData::open(run);
  if (!data) return fail(data.problem(), exit_file);
  auto const& splits = data.value()->splits();
  auto const found = std::ranges::find_if(
      splits, [&](auto const& split) { return role.empty() || split.first == role; });
  if (found == splits.end())
    return fail(fmt::format("{}: there are no samples of role `{}`", run.plan.string(), role),
                exit_command_line);
  Packing packing(*data.value(), found->second, out);
  if (auto prepared = packing.prepare(); !prepared) return fail(prepared.problem(), exit_file);
  if (auto written = packing.write(); !written) return fail(written.problem(), exit_file);
  auto const printed =
      print(fmt::format("{} samples of role {} packed; the reader of them is\n  - {}\n",
                        found->second.indices.size(), found->first, packing.reader(found->first)));
  return printed ? exit_good : fail(printed.problem(), exit_file);
}

}  // namespace lbann::runtime
