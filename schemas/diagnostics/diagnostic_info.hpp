// One kind of thing that can be wrong with an experiment: stable code, stage, severity, words.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace lbann {

enum class Stage : std::uint8_t { command_line, source, experiment, graph, passes, plan };
/// A note tells what has no effect; it stops nothing. Unknown: what is said may be right, but
/// cannot be told here, where data is not; no plan is made.
enum class Severity : std::uint8_t { error, warning, note, unknown };

inline constexpr std::array<std::string_view, 6> stage_names = {
    "command line", "source", "experiment", "graph", "passes", "plan"};
inline constexpr std::array<std::string_view, 4> severity_names = {"error", "warning", "note",
                                                                   "unknown"};

/// Whether no plan is made.
constexpr bool stops(Severity severity) {
  return severity == Severity::error || severity == Severity::unknown;
}

/// One kind of diagnostic. Places in the message, `{layer}`, are filled in order; the name tells
/// what stands there. Wording: lower case, no final full stop, what the user wrote in backticks;
/// first what was found, then why it cannot work.
struct DiagnosticInfo {
  std::string_view code;  ///< stable, e.g. `unknown-field`
  Stage stage;
  Severity severity;
  std::string_view message;
  std::string_view help;                 ///< a sentence on what to do; may be empty
  std::string_view prototext_help = {};  ///< the same in LBANN's protobuf text; empty: as `help`
  bool once = false;  ///< said in the same words of several places, it is told at the first of them
};

}  // namespace lbann
