// One pass over the characters of a line.
#include "schemas/data_formats/csv_line.hpp"

#include <algorithm>
#include <charconv>

namespace lbann {

namespace {

std::string_view without_blanks(std::string_view cell) {
  while (!cell.empty() && (cell.front() == ' ' || cell.front() == '\t')) cell.remove_prefix(1);
  while (!cell.empty() && (cell.back() == ' ' || cell.back() == '\t')) cell.remove_suffix(1);
  return cell;
}

}  // namespace

std::optional<std::string_view> CsvCells::next() {
  if (done_) return std::nullopt;
  auto const begin = at_;
  place_ = begin;
  auto first = begin;
  while (first < line_.size() && line_[first] == ' ') ++first;
  std::string_view cell;
  auto end = begin;
  if (first < line_.size() && line_[first] == '"') {
    auto const close = line_.find('"', first + 1);
    if (close == line_.npos) {
      done_ = open_ = true;
      return std::nullopt;
    }
    cell = line_.substr(first + 1, close - first - 1);
    end = std::min(line_.find(separator_, close), line_.size());
    // What follows the quotes makes it no number and no name: the whole is shown.
    if (!without_blanks(line_.substr(close + 1, end - close - 1)).empty())
      cell = line_.substr(begin, end - begin);
  } else {
    end = std::min(line_.find(separator_, begin), line_.size());
    cell = line_.substr(begin, end - begin);
  }
  done_ = end == line_.size();
  at_ = end + 1;
  return separator_ == '\t' || separator_ == ' ' ? cell : without_blanks(cell);
}

std::optional<std::size_t> count_cells(std::string_view line, char separator) {
  CsvCells cells(line, separator);
  std::size_t count = 0;
  while (cells.next()) ++count;
  if (cells.is_open()) return std::nullopt;
  return count;
}

std::optional<double> parse_cell(std::string_view cell) {
  if (cell.starts_with('+')) cell.remove_prefix(1);
  double number = 0;
  auto const [end, error] = std::from_chars(cell.data(), cell.data() + cell.size(), number);
  if (cell.empty() || error != std::errc{} || end != cell.data() + cell.size()) return std::nullopt;
  return number;
}

}  // namespace lbann
