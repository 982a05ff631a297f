// Texts that name a file in each line.
#pragma once

#include <string>
#include <vector>

#include "schemas/samples/data_places.hpp"
#include "schemas/samples/samples.hpp"

namespace lbann {

struct ListedFile {
  std::string path;  ///< with the folder, as the experiment could write it
  std::int64_t line = 0;
};

/// A text of files in `folder`; lines that are empty count for nothing.
struct FileList {
  std::string name;
  std::vector<ListedFile> files;

  /// Reads the text; one without a file is a problem.
  static Result<FileList> read(std::string const& path, std::string const& folder);

  /// Where a file is; the problem tells the line.
  Result<std::string> find(std::size_t file, DataPlaces const& places) const;
  /// Where all of them are.
  Result<std::vector<std::string>> find_all(DataPlaces const& places) const;
};

/// Samples of files that are not here: neither number nor dims are known, and `load` tells
/// `problem`.
std::unique_ptr<Samples> absent_samples(std::vector<data_readers::GivenField> fields,
                                        Problem problem);

}  // namespace lbann
