// Lines kept as text; a sample's line is parsed when it is asked for.
#include "runtime/data/data_file.hpp"
#include "runtime/data/kept_samples.hpp"
#include "runtime/data/readers.hpp"
#include "schemas/data_formats/csv_line.hpp"
#include "schemas/data_formats/csv_table.hpp"
#include "schemas/data_formats/text_lines.hpp"

namespace lbann::runtime {

namespace {

/// A cell as messages show it.
std::string shown(std::string_view cell) {
  constexpr std::size_t longest = 60;
  return std::string(cell.substr(0, longest)) + (cell.size() > longest ? "..." : "");
}

class CsvSamples final : public Samples {
 public:
  /// Where a line lies, and its number in the file, from 1.
  struct Line {
    std::size_t begin, size;
    std::int64_t number;
  };

  CsvSamples(data_readers::csv const& reader, std::string name, std::vector<std::uint8_t> bytes)
      : reader_(reader), table_(reader, std::move(name)), bytes_(std::move(bytes)) {}

  /// Finds the lines and what their columns are.
  Result<Success> index() {
    TextLines lines;
    Result<Success> done = Success{};
    auto const take = [&](std::string_view line, std::size_t begin) {
      auto const is_sample = table_.take(line);
      if (!is_sample) done = is_sample.problem();
      if (is_sample && is_sample.value()) lines_.push_back({begin, line.size(), table_.lines()});
      return done.good();
    };
    if (lines.take(text(), take)) lines.end(take);
    if (done) done = table_.end();
    if (!done) return done;
    fields_.push_back({"samples", {table_.columns().of_samples}});
    if (table_.columns().label >= 0) {
      fields_.push_back({"labels", {}});
      if (reader_.num_labels > 0) fields_.back().dims = {reader_.num_labels};
    }
    if (table_.columns().response >= 0) fields_.push_back({"responses", {1}});
    return Success{};
  }

  std::int64_t count() const override { return static_cast<std::int64_t>(lines_.size()); }
  std::vector<GivenField> const& fields() const override { return fields_; }

  Result<Success> read(std::int64_t index, std::size_t field,
                       FieldValues const& values) const override {
    auto const& [begin, size, number] = lines_[static_cast<std::size_t>(index)];
    auto const line = text().substr(begin, size);
    auto const& columns = table_.columns();
    auto const wanted = field == 0                        ? -1
                        : fields_[field].name == "labels" ? columns.label
                                                          : columns.response;
    CsvCells cells(line, reader_.separator[0]);
    std::int64_t column = 0, written = 0;
    for (auto cell = cells.next(); cell; cell = cells.next(), ++column) {
      if (wanted < 0 ? !columns.is_sample(column) : column != wanted) continue;
      auto const value = parse_cell(*cell);
      if (!value)
        return table_.problem(number, cells.place(), "`" + shown(*cell) + "` is no number");
      if (wanted >= 0 && wanted == columns.label) {
        if (!is_label(*value, values.count))
          return table_.problem(number, cells.place(), bad_label(*value, values.count).message);
        set_one_hot(values, static_cast<std::int64_t>(*value));
      } else if (written < values.count) {
        values.set(written, *value);
      }
      ++written;
    }
    if (cells.is_open()) return table_.problem(number, cells.place(), "a quote is not closed");
    if (column != columns.count)
      return table_.problem(number, line.size(),
                            "the line has " + std::to_string(column) +
                                " columns, the first one has " + std::to_string(columns.count));
    return Success{};
  }

  std::string place(std::int64_t index, std::size_t) const override {
    return "`" + table_.name() +
           "`:" + std::to_string(lines_[static_cast<std::size_t>(index)].number);
  }

 private:
  std::string_view text() const {
    return {reinterpret_cast<char const*>(bytes_.data()), bytes_.size()};
  }

  data_readers::csv reader_;
  CsvTable table_;
  std::vector<std::uint8_t> bytes_;
  std::vector<Line> lines_;
  std::vector<GivenField> fields_;
};

}  // namespace

OpenedSamples open_samples(data_readers::csv const& reader, Lookup const& lookup) {
  if (auto const conflict = reader.conflict()) return Problem{conflict->words};
  auto const path = lookup.find(reader.data_filedir, reader.data_filename);
  if (!path) return path.problem();
  auto const file = DataFile::open(path.value());
  if (!file) return file.problem();
  auto bytes = file.value().bytes(0, file.value().size());
  if (!bytes) return bytes.problem();
  auto samples = std::make_shared<CsvSamples>(reader, path.value(), std::move(bytes).value());
  if (auto indexed = samples->index(); !indexed) return indexed.problem();
  return keep(samples);
}

}  // namespace lbann::runtime
