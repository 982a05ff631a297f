// Lines of comma-separated values.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace lbann {

/// The cells of one line, from left to right. A cell may be enclosed in double quotes, between
/// which separators count for nothing; blanks around a cell are left out.
class CsvCells {
 public:
  /// `line` without its end; it must outlive this.
  CsvCells(std::string_view line, char separator) : line_(line), separator_(separator) {}

  /// The next cell; nothing behind the last one, or if a quote is not closed (`is_open`).
  std::optional<std::string_view> next();

  /// Byte of the line, from 0, at which the last cell began.
  std::size_t place() const { return place_; }
  /// Whether the line ended within quotes.
  bool is_open() const { return open_; }

 private:
  std::string_view line_;
  char separator_;
  std::size_t at_ = 0, place_ = 0;
  bool done_ = false, open_ = false;
};

/// Number of cells; nothing if a quote is not closed.
std::optional<std::size_t> count_cells(std::string_view line, char separator);

/// The number a cell holds: decimal, with exponent or not, `nan`, `inf`; nothing if it is none.
std::optional<double> parse_cell(std::string_view cell);

}  // namespace lbann
