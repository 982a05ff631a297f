// Records found when the file is opened, kept as text when it is loaded; a sample's record is
// parsed when it is asked for.
#include <algorithm>
#include <optional>

#include "schemas/samples/csv_table.hpp"
#include "schemas/samples/data_file.hpp"
#include "schemas/samples/list.hpp"

namespace lbann {

namespace {

/// Bytes of a record, at most: without a limit, a file that is no text could fill all memory.
constexpr std::size_t longest_csv_record = std::size_t{1} << 28;

class CsvSamples final : public Samples {
 public:
  /// Where a record lies, and its first line in the file, from 1.
  struct Place {
    std::int64_t begin, size, line;
  };

  CsvSamples(data_readers::csv const& reader, DataFile file)
      : reader_(reader), table_(reader, file.name()), file_(std::move(file)) {}

  /// Finds the records and what their columns are, and keeps no more of the file.
  Result<Success> index() {
    CsvRecords records(reader_.separator[0], reader_.skip_rows);
    Result<Success> done = Success{};
    auto const take = [&](CsvRecord const& record) {
      auto const is_sample = table_.take(record);
      if (!is_sample) done = is_sample.problem();
      if (is_sample && is_sample.value())
        places_.push_back({static_cast<std::int64_t>(record.begin),
                           static_cast<std::int64_t>(record.size), record.line});
      return done.good();
    };
    auto read = file_.each_piece([&](std::string_view piece) {
      bytes_ += static_cast<std::int64_t>(piece.size());
      if (records.take(piece, take) && records.unfinished() > longest_csv_record)
        done = table_.problem(records.lines() + 1, 0, "the line is too long; is this a text?");
      return done.good();
    });
    if (!read) return read;
    if (done) records.end(take);
    if (done) done = table_.end(records.lines());
    if (!done) return done;
    for (auto const& field : table_.columns().fields) {
      fields_.push_back({field.name, {std::ssize(field.uses)}});
      if (field.is_labels) fields_.back() = data_readers::given_labels(reader_.num_classes());
    }
    return Success{};
  }

  std::int64_t count() const override { return static_cast<std::int64_t>(places_.size()); }
  bool is_costly() const override { return true; }
  Result<Success> load(bool) override { return file_.load(bytes_, any_size); }
  std::vector<GivenField> const& fields() const override { return fields_; }

  Result<Success> read(std::int64_t index, std::size_t field,
                       FieldValues const& values) const override {
    auto const& [begin, size, line] = places_[static_cast<std::size_t>(index)];
    auto const bytes = file_.read(begin, size, nullptr);  // which are in memory
    if (!bytes) return bytes.problem();
    CsvRecord const record{
        {reinterpret_cast<char const*>(bytes.value()), static_cast<std::size_t>(size)}, 0, 0, line};
    auto const& wanted = table_.columns().fields[field];
    auto use = wanted.uses.begin();
    CsvCells cells(record.text, reader_.separator[0]);
    std::int64_t column = 0;
    for (auto cell = cells.next(); cell; cell = cells.next(), ++column)
      for (; use != wanted.uses.end() && use->column == column; ++use) {
        auto const value = wanted.is_labels ? label_in(*cell) : parse_cell(*cell);
        if (!value && wanted.is_labels && !reader_.classes.empty())
          return table_.problem(record, cells.place(),
                                "`" + std::string(*cell) + "` is not one of `classes`");
        if (!value) return table_.problem(record, cells.place(), table_.bad_cell(*cell, column));
        if (!wanted.is_labels)
          values.set(use->place, *value);
        else if (is_label(*value, values.count))
          set_one_hot(values, static_cast<std::int64_t>(*value));
        else
          return table_.problem(record, cells.place(), bad_label(*value, values.count).message);
      }
    if (column != table_.columns().count)
      return table_.problem(record, record.text.size(),
                            "the line has " + std::to_string(column) +
                                " columns, the first one has " +
                                std::to_string(table_.columns().count));
    return Success{};
  }

  std::string place(std::int64_t index, std::size_t) const override {
    return "`" + table_.name() +
           "`:" + std::to_string(places_[static_cast<std::size_t>(index)].line);
  }

 private:
  /// The number of a class, or whatever number stands there.
  std::optional<double> label_in(std::string_view cell) const {
    if (reader_.classes.empty()) return parse_cell(cell);
    auto const found = std::ranges::find(reader_.classes, cell);
    if (found == reader_.classes.end()) return std::nullopt;
    return static_cast<double>(found - reader_.classes.begin());
  }

  data_readers::csv reader_;
  CsvTable table_;
  DataFile file_;
  std::int64_t bytes_ = 0;  ///< of the file, unpacked
  std::vector<Place> places_;
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
  std::vector<std::string> tells;
  if (reader.columns.empty()) tells.push_back("samples");
  bool const by_place = reader.columns.empty();
  bool const has_targets = context.wants("labels") || context.wants("responses");
  auto const wanted = by_place && !has_targets ? context.wanted_elements("samples") : -1;
  // Columns that nobody wants need not be there.
  auto table = reader;
  std::erase_if(table.columns, [&](std::string const& column) {
    return !context.wants(std::string_view(column).substr(0, column.find('=')));
  });
  return {
      source_of_file("data_filename", reader.data_filedir, reader.data_filename, std::move(tells),
                     [=](std::string const& path) { return open_table_for(table, wanted, path); })};
}

}  // namespace lbann
