// Cells of comma-separated values (RFC 4180).
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace lbann {

/// The cells of one record, from left to right. A cell that begins with a double quote ends at the
/// next one that is not doubled: separators and ends of lines between them count for nothing.
/// Blanks around a cell are left out.
class CsvCells {
 public:
  /// `record` without its end; it must outlive this.
  CsvCells(std::string_view record, char separator) : record_(record), separator_(separator) {}

  /// The next cell as it stands there, without the quotes around it; nothing behind the last one,
  /// or if a quote is not closed (`is_open`).
  std::optional<std::string_view> next();

  /// Byte of the record, from 0, at which the last cell began.
  std::size_t place() const { return place_; }
  /// Whether the record ended within quotes.
  bool is_open() const { return open_; }
  /// The text of the last cell, in which doubled quotes are single ones.
  std::string text() const;

 private:
  std::string_view record_, cell_;
  char separator_;
  std::size_t at_ = 0, place_ = 0;
  bool done_ = false, open_ = false, quoted_ = false;
};

/// Whether a line of a record ends within quotes, given whether it begins within them.
bool ends_in_quotes(std::string_view line, char separator, bool begins_in_quotes);

/// The number a cell holds: decimal, with exponent or not, `nan`, `inf`; nothing if it is none.
std::optional<double> parse_cell(std::string_view cell);

/// Whether a cell says that there is no value: empty, `NA`, `null` and the like.
bool is_missing(std::string_view cell);

}  // namespace lbann
