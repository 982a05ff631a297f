// One pass over the characters of a record.
#include "schemas/data_formats/csv_line.hpp"

#include <algorithm>
#include <array>
#include <charconv>

namespace lbann {

namespace {

std::string_view without_blanks(std::string_view cell) {
  constexpr std::string_view blanks = " \t\r\n";
  while (!cell.empty() && blanks.find(cell.front()) != blanks.npos) cell.remove_prefix(1);
  while (!cell.empty() && blanks.find(cell.back()) != blanks.npos) cell.remove_suffix(1);
  return cell;
}

/// The quote from `from` on that ends a cell: the first that is not doubled; npos if none does.
std::size_t closing_quote(std::string_view text, std::size_t from) {
  auto at = text.find('"', from);
  while (at != text.npos && at + 1 < text.size() && text[at + 1] == '"')
    at = text.find('"', at + 2);
  return at;
}

}  // namespace

std::optional<std::string_view> CsvCells::next() {
  if (done_) return std::nullopt;
  auto const begin = at_;
  place_ = begin;
  quoted_ = false;
  auto first = begin;
  while (separator_ != ' ' && first < record_.size() && record_[first] == ' ') ++first;
  auto end = begin;
  if (first < record_.size() && record_[first] == '"') {
    auto const close = closing_quote(record_, first + 1);
    if (close == record_.npos) {
      done_ = open_ = true;
      return std::nullopt;
    }
    quoted_ = true;
    cell_ = record_.substr(first + 1, close - first - 1);
    end = std::min(record_.find(separator_, close), record_.size());
    // What follows the quotes makes it no number and no name: the whole is shown.
    if (!without_blanks(record_.substr(close + 1, end - close - 1)).empty()) {
      cell_ = record_.substr(begin, end - begin);
      quoted_ = false;
    }
  } else {
    end = std::min(record_.find(separator_, begin), record_.size());
    cell_ = record_.substr(begin, end - begin);
  }
  done_ = end == record_.size();
  at_ = end + 1;
  if (separator_ != '\t' && separator_ != ' ') cell_ = without_blanks(cell_);
  return cell_;
}

std::string CsvCells::text() const {
  std::string text(cell_);
  if (quoted_)
    for (auto at = text.find("\"\""); at != text.npos; at = text.find("\"\"", at + 1))
      text.erase(at, 1);
  return text;
}

bool ends_in_quotes(std::string_view line, char separator, bool begins_in_quotes) {
  if (line.find('"') == line.npos) return begins_in_quotes;
  std::size_t at = 0;
  if (begins_in_quotes) {
    auto const close = closing_quote(line, 0);
    if (close == line.npos) return true;
    at = line.find(separator, close);
    if (at == line.npos) return false;
    ++at;
  }
  CsvCells cells(line.substr(at), separator);
  while (cells.next()) {
  }
  return cells.is_open();
}

std::optional<double> parse_cell(std::string_view cell) {
  if (cell.starts_with('+')) cell.remove_prefix(1);
  double number = 0;
  auto const [end, error] = std::from_chars(cell.data(), cell.data() + cell.size(), number);
  if (cell.empty() || error != std::errc{} || end != cell.data() + cell.size()) return std::nullopt;
  return number;
}

bool is_missing(std::string_view cell) {
  constexpr std::array<std::string_view, 11> words = {
      "", "NA", "N/A", "n/a", "#N/A", "NULL", "null", "None", "none", "<NA>", "?"};
  return std::ranges::find(words, cell) != words.end();
}

}  // namespace lbann
