// Lines found when the file is opened, kept as text when it is loaded; a sample's line is parsed
// when it is asked for.
#include "schemas/data_formats/csv_line.hpp"
#include "schemas/data_formats/text_lines.hpp"
#include "schemas/samples/csv_table.hpp"
#include "schemas/samples/data_file.hpp"
#include "schemas/samples/list.hpp"

namespace lbann {

namespace {

/// Bytes of a line, at most: without a limit, a file that is no text could fill all memory.
constexpr std::size_t longest_line = std::size_t{1} << 28;

/// A cell as messages show it.
std::string shown(std::string_view cell) {
  constexpr std::size_t longest = 60;
  return std::string(cell.substr(0, longest)) + (cell.size() > longest ? "..." : "");
}

class CsvSamples final : public Samples {
 public:
  /// Where a line lies, and its number in the file, from 1.
  struct Line {
    std::int64_t begin, size, number;
  };

  CsvSamples(data_readers::csv const& reader, DataFile file)
      : reader_(reader), table_(reader, file.name()), file_(std::move(file)) {}

  /// Finds the lines and what their columns are, and keeps no more of the file.
  Result<Success> index() {
    TextLines lines;
    Result<Success> done = Success{};
    auto const take = [&](std::string_view line, std::size_t begin) {
      auto const is_sample = table_.take(line);
      if (!is_sample) done = is_sample.problem();
      if (is_sample && is_sample.value())
        lines_.push_back({static_cast<std::int64_t>(begin), static_cast<std::int64_t>(line.size()),
                          table_.lines()});
      return done.good();
    };
    auto read = file_.each_piece([&](std::string_view piece) {
      bytes_ += static_cast<std::int64_t>(piece.size());
      if (lines.take(piece, take) && lines.unfinished() > longest_line)
        done = table_.problem(table_.lines() + 1, 0, "the line is too long; is this a text?");
      return done.good();
    });
    if (!read) return read;
    if (done) lines.end(take);
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
  bool is_costly() const override { return true; }
  Result<Success> load(bool) override { return file_.load(bytes_, any_size); }
  std::vector<GivenField> const& fields() const override { return fields_; }

  Result<Success> read(std::int64_t index, std::size_t field,
                       FieldValues const& values) const override {
    auto const& [begin, size, number] = lines_[static_cast<std::size_t>(index)];
    auto const bytes = file_.read(begin, size, nullptr);  // which are in memory
    if (!bytes) return bytes.problem();
    std::string_view const line(reinterpret_cast<char const*>(bytes.value()),
                                static_cast<std::size_t>(size));
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
  data_readers::csv reader_;
  CsvTable table_;
  DataFile file_;
  std::int64_t bytes_ = 0;  ///< of the file, unpacked
  std::vector<Line> lines_;
  std::vector<GivenField> fields_;
};

OpenedSamples open_table(data_readers::csv const& reader, std::string const& path) {
  auto file = DataFile::open(path);
  if (!file) return file.problem();
  auto samples = std::make_unique<CsvSamples>(reader, std::move(file).value());
  if (auto indexed = samples->index(); !indexed) return indexed.problem();
  return std::unique_ptr<Samples>(std::move(samples));
}

/// Where nobody wants labels and responses, a file without their columns is as good.
OpenedSamples open_table_for(data_readers::csv const& reader, std::int64_t wanted_elements,
                             std::string const& path) {
  auto const fits = [&](OpenedSamples const& opened) {
    return opened && elements_of(opened.value()->fields().front().dims) == wanted_elements;
  };
  auto whole = open_table(reader, path);
  if (wanted_elements < 0 || fits(whole)) return whole;
  auto alone = reader;
  alone.disable_labels = alone.disable_responses = true;
  auto without_targets = open_table(alone, path);
  return fits(without_targets) ? std::move(without_targets) : std::move(whole);
}

}  // namespace

std::vector<SampleSource> sources_of(data_readers::csv const& reader, OpenContext const& context) {
  bool const has_targets = context.wants("labels") || context.wants("responses");
  auto const wanted = has_targets ? -1 : context.wanted_elements("samples");
  return {source_of_file(
      "data_filename", reader.data_filedir, reader.data_filename, {"samples"},
      [=](std::string const& path) { return open_table_for(reader, wanted, path); })};
}

}  // namespace lbann
