// Diagnostics as people read them: place, words, the line of the text with carets, help.
#pragma once

#include <string>
#include <vector>

#include "compiler/diagnostics/diagnostic.hpp"
#include "schemas/plan/plan.hpp"

namespace lbann::compiler {

/// Name of the sources that hold one argument of the command line each.
inline constexpr std::string_view command_line_name = "command line";

/// Where a byte is; both count from 1, columns in characters.
struct Position {
  std::size_t line = 1, column = 1;
};
Position position_of(std::string_view text, std::size_t byte);

/// `file:line:col` of a span, `command line`, or the empty text where nothing is known.
std::string place_text(Span span, std::vector<Source> const& sources);

/// A diagnostic and how often it was found at the same place of a text, e.g. in rounds of a
/// `repeat`, or anywhere if it is told `once`.
struct Finding {
  Diagnostic diagnostic;
  std::size_t times = 1;
};

/// The diagnostics of a report in order of their places; what is said of one place of a text in the
/// same words stands once, as does what its catalogue entry tells `once`. Words are shortened;
/// suggestions too long to be read are left out.
std::vector<Finding> findings(Report const& report, std::vector<Source> const& sources);

/// Where a span lies in a copy (module, `repeat`): which one it is, innermost first.
std::vector<Label> causes_of(Span span, std::vector<Source> const& sources);

/// One diagnostic:
///
///     experiment.yaml:4:17: error[unknown-field]: `strid` is not a field of `pooling`
///        4 |     - pooling: {strid: 2}
///          |                 ^^^^^ did you mean `stride`?
///       help: ...
std::string render(Finding const& finding, std::vector<Source> const& sources, bool colour,
                   bool with_help = true);

/// `did you mean `a`, `b` or `c`?`
std::string question(std::vector<std::string> const& suggestions);

/// `2 errors, 1 warning`, or the empty text.
std::string count_text(std::size_t errors, std::size_t warnings, std::size_t notes,
                       std::size_t unknown = 0);

/// All diagnostics in order of their places (the first hundred of them), help once for each code,
/// and a last line that counts them.
std::string render(Report const& report, std::vector<Source> const& sources, bool colour);

}  // namespace lbann::compiler
