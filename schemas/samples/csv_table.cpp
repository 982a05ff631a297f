// Lines left out, the header, and columns counted in the first line of numbers.
#include "schemas/samples/csv_table.hpp"

#include "schemas/data_formats/csv_line.hpp"

namespace lbann {

Problem CsvTable::problem(std::int64_t line, std::size_t byte, std::string const& what) const {
  return {"`" + name_ + "`:" + std::to_string(line) + ":" + std::to_string(byte + 1) + ": " + what};
}

Result<bool> CsvTable::take(std::string_view line) {
  ++lines_;
  if (lines_ <= reader_.skip_rows || line.empty()) return false;
  if (reader_.has_header && !header_taken_) {
    header_taken_ = true;
    if (auto good = check_header(line); !good) return good.problem();
    return false;
  }
  if (samples_ == 0) {
    auto const columns = columns_of(line);
    if (!columns) return columns.problem();
    columns_ = columns.value();
  }
  ++samples_;
  return true;
}

Result<Success> CsvTable::end() const {
  if (samples_ == 0) return problem(lines_, 0, "there is no line of numbers before the end");
  return Success{};
}

Result<CsvColumns> CsvTable::columns_of(std::string_view line) const {
  auto const cells = count_cells(line, reader_.separator[0]);
  if (!cells) return problem(lines_, line.size(), "a quote is not closed");
  CsvColumns columns{static_cast<std::int64_t>(*cells), reader_.skip_cols};
  auto const place = [&](bool disabled, std::int64_t column) {
    return disabled ? -1 : column < 0 ? columns.count - 1 : column;
  };
  columns.label = place(reader_.disable_labels, reader_.label_col);
  columns.response = place(reader_.disable_responses, reader_.response_col);
  for (auto const column : {columns.label, columns.response})
    if (column >= columns.count)
      return problem(lines_, 0,
                     "there are " + std::to_string(columns.count) + " columns, column " +
                         std::to_string(column) + " was asked for (the first is 0)");
  if (columns.label >= 0 && columns.label == columns.response)
    return problem(lines_, 0,
                   "label and response stand in the same column " + std::to_string(columns.label));
  for (std::int64_t column = 0; column < columns.count; ++column)
    columns.of_samples += columns.is_sample(column) ? 1 : 0;
  if (columns.of_samples == 0)
    return problem(lines_, 0,
                   "none of the " + std::to_string(columns.count) +
                       " columns is left for samples; is the separator another one?");
  return columns;
}

Result<Success> CsvTable::check_header(std::string_view line) const {
  // One that no sample could be like loses none.
  auto const columns = columns_of(line);
  if (!columns) return Success{};
  CsvCells cells(line, reader_.separator[0]);
  std::int64_t column = 0, numbers = 0;
  for (auto cell = cells.next(); cell; cell = cells.next(), ++column) {
    if (!columns.value().is_used(column) || cell->empty()) continue;
    if (!parse_cell(*cell)) return Success{};
    ++numbers;
  }
  if (numbers == 0) return Success{};
  return problem(lines_, 0,
                 "this line would be left out as the one that names the columns, but holds "
                 "numbers; if it is a sample write `has_header: false`, if it is to be left out "
                 "`has_header: false, skip_rows: " +
                     std::to_string(lines_) + "`");
}

}  // namespace lbann
