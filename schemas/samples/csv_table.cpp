// The header, columns by name or place, and columns counted in the first sample.
#include "schemas/samples/csv_table.hpp"

#include <algorithm>

#include "schemas/vocabulary/nearest.hpp"

namespace lbann {

namespace {

/// A cell as messages show it.
std::string shown(std::string_view cell) {
  constexpr std::size_t longest = 60;
  return "`" + std::string(cell.substr(0, longest)) + (cell.size() > longest ? "..." : "") + "`";
}

}  // namespace

void CsvColumns::add(CsvField field) {
  is_used.resize(static_cast<std::size_t>(count));
  for (auto const& use : field.uses) is_used[static_cast<std::size_t>(use.column)] = true;
  std::ranges::sort(field.uses, {}, &CsvField::Use::column);
  fields.push_back(std::move(field));
}

Problem CsvTable::problem(std::int64_t line, std::size_t byte, std::string const& what) const {
  return {"`" + name_ + "`:" + std::to_string(line) + ":" + std::to_string(byte + 1) + ": " + what};
}

Problem CsvTable::problem(CsvRecord const& record, std::size_t byte,
                          std::string const& what) const {
  auto const before = record.text.substr(0, byte);
  auto const newline = before.rfind('\n');
  return problem(record.line + std::ranges::count(before, '\n'),
                 newline == before.npos ? byte : byte - newline - 1, what);
}

std::string CsvTable::bad_cell(std::string_view cell, std::int64_t column) const {
  auto const index = static_cast<std::size_t>(column);
  auto const of = index < names_.size() ? " of column " + shown(names_[index]) : std::string();
  if (!is_missing(cell)) return shown(cell) + of + " is no number";
  return "the value" + of + " is missing" + (cell.empty() ? "" : " (" + shown(cell) + ")") +
         "; write a number there, or leave this sample out of the file";
}

Result<bool> CsvTable::take(CsvRecord const& record) {
  if (record.text.empty()) return false;
  if (reader_.has_header && !header_taken_) {
    header_taken_ = true;
    auto good = take_names(record);
    if (good && reader_.columns.empty()) good = check_header(record);
    if (!good) return good.problem();
    return false;
  }
  CsvCells cells(record.text, reader_.separator[0]);
  if (samples_ == 0) {
    auto const columns = columns_of(record);
    if (!columns) return columns.problem();
    columns_ = columns.value();
  } else if (record.text.find('"') != record.text.npos) {
    while (cells.next()) {
    }
    if (cells.is_open()) return problem(record, cells.place(), "a quote is not closed");
  }
  ++samples_;
  return true;
}

Result<Success> CsvTable::end(std::int64_t lines) const {
  if (samples_ == 0) return problem(lines, 0, "there is no line of numbers before the end");
  return Success{};
}

Result<Success> CsvTable::take_names(CsvRecord const& record) {
  CsvCells cells(record.text, reader_.separator[0]);
  while (cells.next()) names_.push_back(cells.text());
  if (cells.is_open()) return problem(record, cells.place(), "a quote is not closed");
  for (auto const& [field, columns] : by_field_.entries)
    for (auto const& column : columns) {
      auto const found = std::ranges::count(names_, column);
      if (found == 1) continue;
      if (found > 1)
        return problem(record, 0,
                       "there are " + std::to_string(found) + " columns " + shown(column) +
                           ", which `columns` names; rename them");
      std::vector<std::string_view> const known(names_.begin(), names_.end());
      auto const near = nearest(column, known);
      return problem(record, 0,
                     "there is no column " + shown(column) +
                         (near.empty() ? "" : "; did you mean `" + near.front() + "`?"));
    }
  return Success{};
}

Result<CsvColumns> CsvTable::columns_of(CsvRecord const& record) const {
  CsvCells cells(record.text, reader_.separator[0]);
  std::int64_t count = 0;
  while (cells.next()) ++count;
  if (cells.is_open()) return problem(record, cells.place(), "a quote is not closed");
  if (reader_.columns.empty()) return columns_by_place(record, count);
  if (count != std::ssize(names_))
    return problem(record, record.text.size(),
                   "the line has " + std::to_string(count) + " columns, the header has " +
                       std::to_string(names_.size()));
  CsvColumns columns{count, {}, {}};
  for (auto const& [name, of_field] : by_field_.entries) {
    CsvField field{name, name == "labels", {}};
    for (auto const& column : of_field)
      field.uses.push_back(
          {std::ranges::find(names_, column) - names_.begin(), std::ssize(field.uses)});
    columns.add(std::move(field));
  }
  return columns;
}

Result<CsvColumns> CsvTable::columns_by_place(CsvRecord const& record, std::int64_t count) const {
  auto const place = [&](bool disabled, std::int64_t column) {
    return disabled ? -1 : column < 0 ? count - 1 : column;
  };
  auto const label = place(reader_.disable_labels, reader_.label_col);
  auto const response = place(reader_.disable_responses, reader_.response_col);
  for (auto const column : {label, response})
    if (column >= count)
      return problem(record, 0,
                     "there are " + std::to_string(count) + " columns, column " +
                         std::to_string(column) + " was asked for (the first is 0)");
  if (label >= 0 && label == response)
    return problem(record, 0,
                   "label and response stand in the same column " + std::to_string(label));
  CsvField samples{"samples", false, {}};
  for (auto column = reader_.skip_cols; column < count; ++column)
    if (column != label && column != response)
      samples.uses.push_back({column, std::ssize(samples.uses)});
  // A file of labels alone says where they are.
  if (samples.uses.empty() && reader_.label_col < 0 && reader_.response_col < 0)
    return problem(record, 0,
                   "none of the " + std::to_string(count) +
                       " columns is left for samples; is the separator another one?");
  CsvColumns columns{count, {}, {}};
  if (!samples.uses.empty()) columns.add(std::move(samples));
  if (label >= 0) columns.add({"labels", true, {{label, 0}}});
  if (response >= 0) columns.add({"responses", false, {{response, 0}}});
  return columns;
}

Result<Success> CsvTable::check_header(CsvRecord const& record) const {
  // One that no sample could be like loses none.
  auto const columns = columns_of(record);
  if (!columns) return Success{};
  CsvCells cells(record.text, reader_.separator[0]);
  std::size_t column = 0, numbers = 0;
  for (auto cell = cells.next(); cell; cell = cells.next(), ++column) {
    if (!columns.value().is_used[column] || cell->empty()) continue;
    if (!parse_cell(*cell)) return Success{};
    ++numbers;
  }
  if (numbers == 0) return Success{};
  return problem(record, 0,
                 "this line would be left out as the one that names the columns, but holds "
                 "numbers; if it is a sample write `has_header: false`, if it is to be left out "
                 "`has_header: false, skip_rows: " +
                     std::to_string(record.line) + "`");
}

}  // namespace lbann
