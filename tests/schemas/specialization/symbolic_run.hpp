// Runs programs on symbols instead of numbers: what is computed, and whether memory keeps it.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "schemas/specialization/specialize.hpp"

namespace lbann::tests {

/// A number that stands for what a tensor holds, as if all its elements were equal: maps compute it
/// in f64, however they are fused; all other operators scramble their inputs' numbers.
using Symbol = double;

/// What state and results hold after some entry points ran one after the other.
using Outcome = std::map<std::string, Symbol>;

/// Runs `entries` of the program as it stands, each tensor in memory of its own.
Outcome run_alone(Program const& program, std::vector<std::string> const& entries);

/// Runs the specialised program in arenas as its slots say: a value survives only where nothing
/// was written over any of its bytes. Every read of something else is added to `faults`.
/// Written without a look at how places are found. `original` names the tensors that were there
/// before specialisation.
Outcome run_in_arenas(SpecializedProgram const& program, Program const& original,
                      std::vector<std::string> const& entries, std::vector<std::string>& faults);

}  // namespace lbann::tests
