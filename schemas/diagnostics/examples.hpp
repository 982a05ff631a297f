// The smallest wrong experiment of each diagnostic, what is said about it, and its repair.
#pragma once

#include <span>
#include <string_view>

namespace lbann {

/// One folder of schemas/diagnostics/examples. Tests compile both experiments and compare.
struct DiagnosticExample {
  std::string_view code;
  std::string_view file;        ///< name of the wrong experiment; its extension is its syntax
  std::string_view experiment;  ///< the wrong experiment
  std::string_view arguments;   ///< of the command line, one per line; may be empty
  std::string_view expected;    ///< what the compiler says, in full
  std::string_view repair;      ///< the right experiment; empty where the arguments were wrong
  std::string_view repair_arguments;  ///< the right arguments; empty where there are none
};

/// All examples in order of their codes.
std::span<DiagnosticExample const> diagnostic_examples();

/// The example of a code, or null.
DiagnosticExample const* example_of(std::string_view code);

}  // namespace lbann
