// One kind of thing that can be wrong with an experiment: stable code, stage, severity, words.
#pragma once

#include <cstdint>
#include <string_view>

namespace lbann {

enum class Stage : std::uint8_t { command_line, source, experiment, graph, passes, plan };
enum class Severity : std::uint8_t { error, warning };

/// One kind of diagnostic. `{}` in the message are filled in order. Wording: lower case, no final
/// full stop, what the user wrote in backticks; first what was found, then why it cannot work.
struct DiagnosticInfo {
  std::string_view code;  ///< stable, e.g. `unknown-field`
  Stage stage;
  Severity severity;
  std::string_view message;
  std::string_view help;  ///< a sentence on what to do; may be empty
};

}  // namespace lbann
