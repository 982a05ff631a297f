// `data_set_metadata` as the datasets of a sample.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "compiler/declarations/declaration.hpp"
#include "compiler/diagnostics/diagnostic.hpp"
#include "schemas/data_readers/hdf5_dataset.hpp"
#include "schemas/vocabulary/result.hpp"

namespace lbann::compiler {

struct JagDataset {
  data_readers::hdf5_dataset dataset;
  Span span;  ///< of the keys that name it
};

/// Names of the numbers in a group of a reader's first sample.
using KeysIn = std::function<Result<std::vector<std::string>>(std::string const& group)>;

/// What a sample is made of: `samples` of what `independent` names, `responses` of what `dependent`
/// does. `keys_in` is asked where all keys of a kind are used; nothing comes back after a report.
std::vector<JagDataset> jag_datasets(Declaration const& metadata, KeysIn const& keys_in,
                                     Report& report);

}  // namespace lbann::compiler
