// A page of several runs.
#pragma once

#include <string>
#include <vector>

#include "runtime/report/run_history.hpp"

namespace lbann::runtime {

/// The curves of the runs over one another, what ran where, confusion matrices and pictures, in
/// one HTML page that needs no other file, no script and no network. It is well-formed XML.
/// Problems name a file of a run that cannot be read.
Result<std::string> page_of(std::vector<RunHistory> const& runs);

}  // namespace lbann::runtime
