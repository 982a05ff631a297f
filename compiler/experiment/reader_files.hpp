// Which files each data reader reads, and what their beginnings tell of its samples.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "compiler/declarations/declaration.hpp"
#include "schemas/data_readers/reader.hpp"
#include "schemas/vocabulary/result.hpp"

namespace lbann::compiler {

/// What is certain of the samples of a reader.
struct DataFacts {
  std::int64_t samples = -1;  ///< before any choice; -1: not told
  std::vector<data_readers::GivenField> fields;
};

/// Files that tell something together.
struct ReaderFiles {
  std::string field;                ///< of the language, which names them, e.g. `data_filename`
  std::vector<std::string> paths;   ///< as written, in their folder
  std::vector<std::string> fields;  ///< data fields whose dims they tell
  /// What the files tell, given where each of `paths` was found, or what is wrong with them.
  std::function<Result<DataFacts>(std::vector<std::string> const& found)> probe;
};

/// The files of a reader in the order in which they are asked; none where no file tells anything.
std::vector<ReaderFiles> files_of(Declaration const& reader);

}  // namespace lbann::compiler
