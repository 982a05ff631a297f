// A slow executor of small programs, independent of all kernels: values as f64, rounded as stored.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "schemas/program/program.hpp"

namespace lbann::tests {

/// Content of tensors, C order, by name.
using Values = std::map<std::string, std::vector<double>>;

/// Runs the maps, reduces, matmuls and reshapes of an entry point on `values`, in order, every
/// function rounded to the type computed in and every output to its own. Bit-exact where functions
/// are basic arithmetic.
void run(Program const& program, EntryPoint const& entry, Values& values, std::int64_t samples);

/// The same on several ranks in lockstep: rank r holds values[r] with samples[r] samples, an
/// all_reduce gives all of them the sum.
void run_ranks(Program const& program, EntryPoint const& entry, std::vector<Values>& values,
               std::vector<std::int64_t> const& samples);

}  // namespace lbann::tests
