// Lines kept as text; a sample's line is parsed when it is asked for.
#include "runtime/data/data_file.hpp"
#include "runtime/data/kept_samples.hpp"
#include "runtime/data/readers.hpp"
#include "schemas/data_formats/csv_line.hpp"

namespace lbann::runtime {

namespace {

class CsvSamples final : public Samples {
 public:
  /// Where a line begins, and its number in the file, from 1.
  struct Line {
    std::size_t begin;
    std::int64_t number;
  };

  CsvSamples(data_readers::csv const& reader, std::string name, std::vector<std::uint8_t> bytes)
      : reader_(reader), name_(std::move(name)), bytes_(std::move(bytes)) {}

  /// Finds the lines and counts the columns of the first.
  Result<Success> index() {
    auto const text = this->text();
    std::int64_t number = 0, to_skip = reader_.skip_rows + (reader_.has_header ? 1 : 0);
    // A byte order mark is no part of the first cell.
    std::size_t begin = text.starts_with("\xef\xbb\xbf") ? 3 : 0;
    for (; begin < text.size(); begin = next_line(text, begin)) {
      ++number;
      if (to_skip-- > 0 || line_at(text, begin).empty()) continue;
      lines_.push_back({begin, number});
    }
    if (lines_.empty()) return problem(number, 0, "there is no line of numbers before the end");
    auto const first = line_at(text, lines_[0].begin);
    auto const cells = count_cells(first, reader_.separator[0]);
    if (!cells) return problem(lines_[0].number, first.size(), "a quote is not closed");
    columns_ = static_cast<std::int64_t>(*cells);
    label_ = place(reader_.disable_labels, reader_.label_col);
    response_ = place(reader_.disable_responses, reader_.response_col);
    for (auto const column : {label_, response_})
      if (column >= columns_)
        return problem(lines_[0].number, 0,
                       "there are " + std::to_string(columns_) + " columns, column " +
                           std::to_string(column) + " was asked for (the first is 0)");
    if (label_ >= 0 && label_ == response_)
      return problem(lines_[0].number, 0,
                     "label and response stand in the same column " + std::to_string(label_));
    std::int64_t taken = 0;
    for (std::int64_t column = 0; column < columns_; ++column) taken += is_sample(column) ? 1 : 0;
    if (taken == 0)
      return problem(lines_[0].number, 0,
                     "none of the " + std::to_string(columns_) +
                         " columns is left for samples; is the separator another one?");
    fields_.push_back({"samples", {taken}});
    if (label_ >= 0) {
      fields_.push_back({"labels", {}});
      if (reader_.num_labels > 0) fields_.back().dims = {reader_.num_labels};
    }
    if (response_ >= 0) fields_.push_back({"responses", {1}});
    return Success{};
  }

  std::int64_t count() const override { return static_cast<std::int64_t>(lines_.size()); }
  std::vector<GivenField> const& fields() const override { return fields_; }

  Result<Success> read(std::int64_t index, std::size_t field,
                       FieldValues const& values) const override {
    auto const& [begin, number] = lines_[static_cast<std::size_t>(index)];
    auto const line = line_at(text(), begin);
    auto const wanted = field == 0 ? -1 : fields_[field].name == "labels" ? label_ : response_;
    CsvCells cells(line, reader_.separator[0]);
    std::int64_t column = 0, written = 0;
    for (auto cell = cells.next(); cell; cell = cells.next(), ++column) {
      if (wanted < 0 ? !is_sample(column) : column != wanted) continue;
      auto const value = parse_cell(*cell);
      if (!value)
        return problem(number, cells.place(), "`" + std::string(*cell) + "` is no number");
      if (wanted >= 0 && wanted == label_) {
        if (auto set = set_label(values, *value); !set)
          return problem(number, cells.place(), set.problem().message);
      } else if (written < values.count) {
        values.set(written, *value);
      }
      ++written;
    }
    if (cells.is_open()) return problem(number, cells.place(), "a quote is not closed");
    if (column != columns_)
      return problem(number, line.size(),
                     "the line has " + std::to_string(column) + " columns, the first one has " +
                         std::to_string(columns_));
    return Success{};
  }

 private:
  std::string_view text() const {
    return {reinterpret_cast<char const*>(bytes_.data()), bytes_.size()};
  }
  std::int64_t place(bool disabled, std::int64_t column) const {
    if (disabled) return -1;
    return column < 0 ? columns_ - 1 : column;
  }
  bool is_sample(std::int64_t column) const {
    return column >= reader_.skip_cols && column != label_ && column != response_;
  }
  Problem problem(std::int64_t line, std::size_t byte, std::string const& what) const {
    return {"`" + name_ + "`:" + std::to_string(line) + ":" + std::to_string(byte + 1) + ": " +
            what};
  }

  data_readers::csv reader_;
  std::string name_;
  std::vector<std::uint8_t> bytes_;
  std::vector<Line> lines_;
  std::int64_t columns_ = 0, label_ = -1, response_ = -1;
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
