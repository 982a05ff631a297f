// LBANN's sample lists: texts that say which samples of which files are used.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "schemas/vocabulary/result.hpp"

namespace lbann {

/// A list of one of LBANN's formats:
///
///     SINGLE-SAMPLE                files of a sample each
///     MULTI-SAMPLE_INCLUSION       names of the samples of each file
///     MULTI-SAMPLE_EXCLUSION       names of those that are left out
///     MULTI-SAMPLE_INCLUSION_V2, CONDUIT_HDF5_INCLUSION, CONDUIT_HDF5_EXCLUSION
///
/// Line 2 says how many samples are used and left out (not in V2) and how many files there are,
/// line 3 their folder, line 4 of the first three the file of the labels. Each line that follows is
/// a file, its number of samples used and left out, and names; `7 ... 10` are the numbers 7 to 10.
class SampleList {
 public:
  struct File {
    std::string name;
    std::int64_t line = 0;  ///< of the list, from 1
    std::int64_t used = 0, left_out = 0;
    std::vector<std::string> excluded;  ///< names of samples, where the list says these
  };
  struct Sample {
    std::size_t file;
    std::string name;  ///< empty where a file is a sample
  };

  /// Reads a list; problems begin with its `name` and a line.
  static Result<SampleList> parse(std::string_view text, std::string const& name);

  /// The samples `names` of each of `files`, which no text lists: the list has no name.
  static SampleList of_files(std::vector<std::string> const& files,
                             std::vector<std::vector<std::string>> const& names);

  std::string const& name() const { return name_; }
  std::string const& folder() const { return folder_; }
  std::string const& label_file() const { return label_file_; }
  std::vector<File> const& files() const { return files_; }
  /// Whether each file is a sample; whether the names of samples are those left out, so that only
  /// the files tell which are used.
  bool one_per_file() const { return one_per_file_; }
  bool excludes() const { return excludes_; }

  std::int64_t size() const { return size_; }
  /// Sample number `index`; not of a list that excludes.
  Sample at(std::int64_t index) const;

  /// The list of all samples that `names` (per file) has and this list does not exclude. Problems:
  /// a file has another number of them than the list says, or lacks one that is excluded.
  Result<SampleList> resolved(std::vector<std::vector<std::string>> const& names) const;

 private:
  /// Samples of one file: a name, or numbers one after the other.
  struct Run {
    std::int64_t end;  ///< samples of the list up to its end
    std::uint32_t file;
    std::uint32_t characters = 0;
    std::size_t begin = 0;    ///< of the name among `names_`
    std::int64_t first = -1;  ///< number of its first sample; -1: it is a name
  };
  class Parser;

  void add_name(std::size_t file, std::string_view name);
  void add_numbers(std::size_t file, std::int64_t first, std::int64_t last);
  Problem problem(std::int64_t line, std::string const& what) const;

  std::string name_, folder_, label_file_;
  bool one_per_file_ = false, excludes_ = false;
  std::vector<File> files_;
  std::string names_;
  std::vector<Run> runs_;
  std::int64_t size_ = 0;
};

}  // namespace lbann
