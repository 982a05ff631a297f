// Texts that name a file in each line.
#pragma once

#include <string>
#include <vector>

#include "schemas/samples/data_places.hpp"
#include "schemas/samples/samples.hpp"

namespace lbann {

struct ListedFile {
  std::string name;
  std::int64_t line = 0;
};

/// A text of files; lines that are empty count for nothing.
struct FileList {
  std::string name;
  std::string folder, local_folder;  ///< of the files, and of copies on the node
  std::vector<ListedFile> files;

  /// Reads the text; one without a file is a problem.
  static Result<FileList> read(std::string const& path);
  /// The same of a reader, of whose files no more are used than it says.
  template <class Reader>
  static Result<FileList> of(Reader const& reader, std::string const& path) {
    auto list = read(path);
    if (!list) return list;
    list.value().folder = reader.data_filedir;
    list.value().local_folder = reader.data_local_filedir;
    if (auto const most = static_cast<std::size_t>(reader.max_files_to_load);
        most > 0 && list.value().files.size() > most)
      list.value().files.resize(most);
    return list;
  }

  /// A file with its folder, as the experiment could write it.
  std::string path(std::size_t file) const { return path_in(folder, files[file].name); }

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
