// Initial values of weights from files.
#pragma once

#include <string>

#include "runtime/execution/executor.hpp"

namespace lbann::runtime {

/// Reads the files that `plan` names for weights, looked up in `data_root` (if not empty), then in
/// the working directory. Problems name the line of the weights.
Result<Success> load_initial_values(Plan const& plan, Executor const& executor,
                                    std::string const& data_root);

}  // namespace lbann::runtime
