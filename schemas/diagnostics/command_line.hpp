// What can be wrong with what the command line says about the experiment.
#pragma once

#include "schemas/diagnostics/diagnostic_info.hpp"

namespace lbann::diagnostics {

inline constexpr DiagnosticInfo set_path{
    "set-path", Stage::command_line, Severity::error, "`{path}` does not lead to a value: {reason}",
    "A path names keys from the top, e.g. `trainer.mini_batch_size`; entries of a list are named "
    "by their `name`, type or number, and of several with one type by role or number, e.g. "
    "`data_reader.digits[test]`."};

inline constexpr DiagnosticInfo set_syntax{"set-syntax", Stage::command_line, Severity::error,
                                           "`{text}` is not of the form `path=value`",
                                           "Write e.g. `--set trainer.mini_batch_size=128`."};

inline constexpr DiagnosticInfo field_syntax{"field-syntax", Stage::command_line, Severity::error,
                                             "`{text}` is not of the form `field=dims`",
                                             "Write e.g. `--field samples=1x28x28`."};

}  // namespace lbann::diagnostics
