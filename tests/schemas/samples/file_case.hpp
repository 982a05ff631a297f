// Readers of files that a test writes.
#pragma once

#include <doctest/doctest.h>

#include "schemas/samples/open_samples.hpp"
#include "tests/schemas/samples/scratch_folder.hpp"

namespace lbann::tests {

/// All numbers of a field of a sample.
inline Result<std::vector<double>> numbers_of(Samples const& samples, std::int64_t index,
                                              std::size_t field) {
  auto const count = elements_of(samples.fields()[field].dims);
  std::vector<double> numbers(static_cast<std::size_t>(count));
  auto const read = samples.read(index, field, {numbers.data(), DataType::f64, count});
  if (!read) return read.problem();
  return numbers;
}

/// A reader and the folder of its files.
template <class Reader>
struct ReaderCase {
  ScratchFolder folder;
  Reader reader;

  std::shared_ptr<Samples const> open() const {
    auto opened = load_samples(reader, {}, true);
    if (!opened) FAIL(opened.problem().message);
    return std::move(opened).value();
  }
  /// What is wrong with the files or with one of the samples, without the folder.
  std::string problem() const {
    auto const opened = load_samples(reader, {}, true);
    std::string text = opened ? "" : opened.problem().message;
    for (std::int64_t i = 0; opened && i < opened.value()->count(); ++i)
      for (std::size_t field = 0; field < opened.value()->fields().size(); ++field) {
        auto const read = numbers_of(*opened.value(), i, field);
        if (!read && text.empty()) text = read.problem().message;
      }
    auto const at = text.find(folder.path());
    return at == text.npos ? text : text.replace(at, folder.path().size() + 1, "");
  }
};

/// A reader of one text file.
template <class Reader>
struct FileCase : ReaderCase<Reader> {
  FileCase(std::string const& file, std::string const& text) {
    this->folder.write_text(file, text);
    this->reader.data_filedir = this->folder.path();
  }
};

}  // namespace lbann::tests
