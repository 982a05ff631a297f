// Runs the kernels of a program one by one, as a rank of its own would.
#pragma once

#include <functional>
#include <string_view>

#include "kernels/kernel.hpp"
#include "schemas/plan/plan.hpp"
#include "schemas/specialization/specialization.hpp"
#include "tests/reports/replicas.hpp"

namespace lbann::testing {

/// What the host writes before a step: fields of samples, counts; and before the first, sums, seed
/// and statistics of the data.
void fill_inputs(Plan const& plan, SpecializedProgram const& program, Replicas const& memory);

/// Calls `run` with each instruction of the entry point and its call on each copy of the memory,
/// then `done` with its scratch memory. Throws std::runtime_error if there is no such entry point.
void execute(SpecializedProgram const& program, std::string_view name, Replicas const& memory,
             std::function<void(Instruction const&, kernels::Call const&)> const& run,
             std::function<void(Instruction const&, Slot const&)> const& done);

/// Collectives, as if all other ranks held zeros.
bool is_done_by_ranks(Instruction const& instruction, kernels::Call const& call);

}  // namespace lbann::testing
