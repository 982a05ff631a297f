// What the records and columns of a table of comma-separated values are.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "schemas/data_formats/csv_records.hpp"
#include "schemas/data_readers/csv.hpp"
#include "schemas/vocabulary/result.hpp"

namespace lbann {

/// A data field and the columns its numbers are in.
struct CsvField {
  /// Number `place` of the field stands in column `column`.
  struct Use {
    std::int64_t column, place;
  };
  std::string name;
  bool is_labels = false;  ///< class numbers, one-hot
  std::vector<Use> uses;   ///< in the order of columns
};

/// What each column of a table is.
struct CsvColumns {
  std::int64_t count = 0;  ///< of a record
  std::vector<CsvField> fields;
  std::vector<bool> is_used;  ///< per column

  void add(CsvField field);
};

/// Takes the records of a table in order and tells what each is: the one place that knows, for the
/// compiler, which counts them, and the runtime, which reads them. Problems name file, line and
/// column.
class CsvTable {
 public:
  /// `name` of the file, for messages.
  CsvTable(data_readers::csv reader, std::string name)
      : reader_(std::move(reader)), by_field_(reader_.by_field()), name_(std::move(name)) {}

  /// Takes the next record; whether it holds a sample. One that `has_header` leaves out is refused
  /// if it holds numbers where those behind it do: it would be lost.
  Result<bool> take(CsvRecord const& record);
  /// To be called after the last record, with the number of lines.
  Result<Success> end(std::int64_t lines) const;

  std::string const& name() const { return name_; }
  /// Of the first sample; what those behind it must have as well.
  CsvColumns const& columns() const { return columns_; }
  std::int64_t samples() const { return samples_; }

  /// A problem in line `line`, from 1, at its byte `byte`, from 0.
  Problem problem(std::int64_t line, std::size_t byte, std::string const& what) const;
  /// A problem at byte `byte` of a record.
  Problem problem(CsvRecord const& record, std::size_t byte, std::string const& what) const;
  /// What is wrong with a cell of column `column` that holds no number.
  std::string bad_cell(std::string_view cell, std::int64_t column) const;

 private:
  Result<CsvColumns> columns_of(CsvRecord const& record) const;
  Result<CsvColumns> columns_by_place(CsvRecord const& record, std::int64_t count) const;
  Result<Success> check_header(CsvRecord const& record) const;
  Result<Success> take_names(CsvRecord const& record);

  data_readers::csv reader_;
  NamedTexts by_field_;  ///< columns that the reader names
  std::string name_;
  std::int64_t samples_ = 0;
  bool header_taken_ = false;
  std::vector<std::string> names_;  ///< of the columns, where there is a header
  CsvColumns columns_;
};

}  // namespace lbann
