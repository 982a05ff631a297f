// Two experiments beside each other, printed.
#pragma once

#include <array>
#include <string>

#include "compiler/command/report_plan.hpp"
#include "compiler/compile.hpp"

namespace lbann::compiler {

/// What is to be compared: an experiment as it was compiled, the text of its stage `experiment` in
/// `dump`. Without a plan what it costs is not told.
struct ComparedExperiment {
  std::string name;
  Compiled compiled;
};

/// Has the experiment of a plan compiled again: from the texts, overrides and dims that the plan
/// holds, before those of `options`.
void take_from_plan(Plan const& plan, CompileOptions& options);

/// Prints what differs in meaning, and what that changes in parameters, operations, memory and
/// messages of a run of `request.size`; gives the exit code.
int print_difference(std::array<ComparedExperiment, 2> const& both,
                     Declarations const& declarations, ReportRequest const& request);

}  // namespace lbann::compiler
