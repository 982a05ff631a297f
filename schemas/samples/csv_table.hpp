// What the lines and columns of a table of comma-separated values are.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "schemas/data_readers/csv.hpp"
#include "schemas/vocabulary/result.hpp"

namespace lbann {

/// What each column of a table is.
struct CsvColumns {
  std::int64_t count = 0;                  ///< of a line
  std::int64_t first = 0;                  ///< of those that are not left out
  std::int64_t label = -1, response = -1;  ///< -1: none
  std::int64_t of_samples = 0;             ///< how many hold `samples`

  bool is_sample(std::int64_t column) const {
    return column >= first && column != label && column != response;
  }
  bool is_used(std::int64_t column) const {
    return column >= first || column == label || column == response;
  }
};

/// Takes the lines of a table in order and tells what each is: the one place that knows, for the
/// compiler, which counts them, and the runtime, which reads them. Problems name file, line and
/// column.
class CsvTable {
 public:
  /// `name` of the file, for messages.
  CsvTable(data_readers::csv reader, std::string name)
      : reader_(std::move(reader)), name_(std::move(name)) {}

  /// Takes the next line, without its end; whether it holds a sample. A line that `has_header`
  /// leaves out is refused if it holds numbers where those behind it do: it would be lost.
  Result<bool> take(std::string_view line);
  /// To be called after the last line.
  Result<Success> end() const;

  std::string const& name() const { return name_; }
  /// Of the first sample; what lines behind it must have as well.
  CsvColumns const& columns() const { return columns_; }
  std::int64_t samples() const { return samples_; }
  /// Lines that were taken: the number of the last one.
  std::int64_t lines() const { return lines_; }

  /// A problem in line `line`, from 1, at its byte `byte`, from 0.
  Problem problem(std::int64_t line, std::size_t byte, std::string const& what) const;

 private:
  Result<CsvColumns> columns_of(std::string_view line) const;
  Result<Success> check_header(std::string_view line) const;

  data_readers::csv reader_;
  std::string name_;
  std::int64_t lines_ = 0, samples_ = 0;
  bool header_taken_ = false;
  CsvColumns columns_;
};

}  // namespace lbann
