// What `lbann-run --version` prints.
#pragma once

#include <string>

namespace lbann::runtime {

/// Version, revision, format of plans, instruction set and libraries; several lines. Neither MPI
/// nor Kokkos need be initialised.
std::string version_text();

}  // namespace lbann::runtime
