// Records of a table of comma-separated values that arrives in pieces.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "schemas/data_formats/csv_line.hpp"
#include "schemas/data_formats/text_lines.hpp"

namespace lbann {

/// A line of a table, or several lines where the ends of lines stand in quotes.
struct CsvRecord {
  std::string_view text;  ///< without the end of its last line
  std::size_t begin = 0;  ///< byte of the text at which it begins
  std::size_t size = 0;   ///< bytes of it there
  std::int64_t line = 0;  ///< its first line, from 1
};

/// Cuts a text into records (RFC 4180). Quotes are those of `CsvCells`.
class CsvRecords {
 public:
  /// The first `skipped_lines` are left out, whatever they hold.
  CsvRecords(char separator, std::int64_t skipped_lines)
      : separator_(separator), skipped_(skipped_lines) {}

  /// Calls `visit(record)` for every record that ends within `piece`, until it gives false.
  template <class Visit>
  bool take(std::string_view piece, Visit visit) {
    return lines_.take(
        piece, [&](std::string_view line, std::size_t begin) { return add(line, begin, visit); });
  }
  /// The same for what is left at the end of the text, with quotes that nothing closes as well.
  template <class Visit>
  bool end(Visit visit) {
    if (!lines_.end(
            [&](std::string_view line, std::size_t begin) { return add(line, begin, visit); }))
      return false;
    if (!open_) return true;
    open_ = false;
    return visit(record_);
  }

  /// Lines so far.
  std::int64_t lines() const { return number_; }
  /// Bytes of the record that has not ended yet.
  std::size_t unfinished() const { return lines_.unfinished() + (open_ ? text_.size() : 0); }

 private:
  template <class Visit>
  bool add(std::string_view line, std::size_t begin, Visit& visit) {
    if (++number_ <= skipped_) return true;
    bool const was_open = open_;
    open_ = ends_in_quotes(line, separator_, was_open);
    if (!was_open && !open_) return visit(CsvRecord{line, begin, line.size(), number_});
    if (was_open) {
      text_ += '\n';
    } else {
      text_.clear();
      record_ = {{}, begin, 0, number_};
    }
    text_ += line;
    record_.text = text_;
    record_.size = begin + line.size() - record_.begin;
    return open_ || visit(record_);
  }

  TextLines lines_;
  char separator_;
  std::int64_t skipped_, number_ = 0;
  bool open_ = false;  ///< whether the last line ended in quotes
  std::string text_;   ///< of a record of several lines
  CsvRecord record_;
};

}  // namespace lbann
