// Where messages about experiments go, and how they are written.
#pragma once

#include <string>
#include <vector>

#include "compiler/compile.hpp"
#include "compiler/diagnostics/formats/format.hpp"

namespace lbann::compiler {

/// For people messages go to standard error as they come; for programs, all at the end, as one
/// document on standard output; both to a file instead, if one is named.
class Messages {
 public:
  Messages(Format format, std::string file) : format_(format), file_(std::move(file)) {}

  /// What was found in an experiment, `name` as the user named it.
  void add(std::string const& name, Compiled const& compiled);
  /// What kept it from being read or compiled; gives `code`, an `ExitCode`.
  int add_failure(std::string const& name, int code, std::string const& message);
  /// Writes what has been kept; gives the exit code of that.
  int finish();

 private:
  bool prints() const { return format_ == Format::human && file_.empty(); }

  Format format_;
  std::string file_;  ///< empty: none
  std::string text_;  ///< for people, to go to the file
  std::vector<CheckedExperiment> experiments_;
};

}  // namespace lbann::compiler
