// Experiments compiled, or only checked, as the command line asks for it.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "compiler/command/report_plan.hpp"
#include "compiler/compile.hpp"
#include "compiler/diagnostics/formats/format.hpp"

namespace lbann::compiler {

/// What the command line asks of each experiment.
struct Wishes {
  CompileOptions options;
  ReportRequest request;
  std::string output;       ///< the plan, or with `check` the messages; empty: plan.bin, or none
  std::string fields_from;  ///< file of dims of data fields; empty: none
  /// Only experiments that read one of these files are checked.
  std::optional<std::vector<std::string>> affected_by;
  Format format = Format::human;
  bool check = false;
  bool fix = false;   ///< write edits that are sure into the files
  bool diff = false;  ///< of `fix`: print them instead; alone: compare two experiments
  bool warnings_as_errors = false;
};

/// Compiles the experiment in `paths`, several only of LBANN's messages, or checks all that are
/// there; gives the exit code. With `check`, a broken one does not keep others from being checked,
/// and the code is that of the worst.
int compile_or_check(std::vector<std::string> const& paths, Wishes wishes);

/// Whether a name is that of a pass that runs on each rank.
bool is_pass_on_ranks(std::string_view name);

}  // namespace lbann::compiler
