// What can be wrong with the contents of an experiment by itself.
#pragma once

#include <array>

#include "schemas/diagnostics/diagnostic_info.hpp"

namespace lbann::diagnostics {

inline constexpr DiagnosticInfo empty_experiment{"empty-experiment", Stage::experiment,
                                                 Severity::error, "the experiment is empty",
                                                 "It needs at least `model:` with `layers:`."};

inline constexpr DiagnosticInfo unknown_field{"unknown-field", Stage::experiment, Severity::error,
                                              "`{}` is not a field of `{}`",
                                              "Keys of your own begin with `x-`."};

inline constexpr DiagnosticInfo unknown_type{"unknown-type", Stage::experiment, Severity::error,
                                             "`{}` is not {}", ""};

inline constexpr DiagnosticInfo missing_field{"missing-field", Stage::experiment, Severity::error,
                                              "`{}` needs {}", ""};

inline constexpr DiagnosticInfo wrong_type{"wrong-type", Stage::experiment, Severity::error,
                                           "`{}` must be {}, not {}", ""};

inline constexpr DiagnosticInfo not_a_choice{"not-a-choice", Stage::experiment, Severity::error,
                                             "`{}` must be one of {}, not `{}`", ""};

inline constexpr DiagnosticInfo out_of_range{"out-of-range", Stage::experiment, Severity::error,
                                             "`{}` must be {}, not {}", ""};

inline constexpr DiagnosticInfo ambiguous_scalar{
    "ambiguous-scalar", Stage::experiment, Severity::error,
    "`{}` means one thing in YAML 1.1 and another in YAML 1.2",
    "Both readings are plausible; write the one that is meant."};

inline constexpr DiagnosticInfo not_an_entry{
    "not-an-entry", Stage::experiment, Severity::error,
    "{} must be a mapping with a single key, its type",
    "For example `- convolution: {out_channels: 6, kernel_size: 5}`."};

inline constexpr DiagnosticInfo wrong_indentation{
    "wrong-indentation", Stage::experiment, Severity::error,
    "`{}` stands beside `{}`, not inside of it",
    "Indent the fields of an entry further than its type."};

inline constexpr DiagnosticInfo scalar_for_fields{
    "scalar-for-fields", Stage::experiment, Severity::error,
    "`{}` takes fields by name, not the value {}", ""};

inline constexpr DiagnosticInfo name_with_space{
    "name-with-space", Stage::experiment, Severity::error,
    "the name `{}` has a space or a dot in it",
    "Outputs are named `layer.output`, so a name has neither."};

inline constexpr DiagnosticInfo duplicate_name{"duplicate-name", Stage::experiment, Severity::error,
                                               "there are two {} named `{}`",
                                               "Give one of them another name."};

inline constexpr DiagnosticInfo unknown_variable{
    "unknown-variable", Stage::experiment, Severity::error, "there is no variable `{}`",
    "Variables are declared under `variables:` at the top."};

inline constexpr DiagnosticInfo variable_cycle{"variable-cycle", Stage::experiment, Severity::error,
                                               "the variable `{}` is defined by itself", ""};

inline constexpr DiagnosticInfo expression_syntax{
    "expression-syntax", Stage::experiment, Severity::error, "{} in the expression `{}`",
    "Expressions know numbers, names of variables, + - * / // % and parentheses."};

inline constexpr DiagnosticInfo expression_value{"expression-value", Stage::experiment,
                                                 Severity::error, "{} in the expression `{}`", ""};

inline constexpr DiagnosticInfo two_readers{"two-readers", Stage::experiment, Severity::error,
                                            "a second reader for the role `{}`",
                                            "One reader per role."};

inline constexpr DiagnosticInfo field_dims_differ{
    "field-dims-differ", Stage::experiment, Severity::error,
    "`{}` is declared with dims {}, but {}", "Remove the declared dims, or correct them."};

inline constexpr DiagnosticInfo data_header{
    "data-header", Stage::experiment, Severity::error, "`{}` is not what `{}` reads: {}",
    "Check the path, and that the file was downloaded completely."};

inline constexpr std::array<DiagnosticInfo const*, 20> experiment_entries = {
    &empty_experiment, &unknown_field,     &unknown_type,      &missing_field,
    &wrong_type,       &not_a_choice,      &out_of_range,      &ambiguous_scalar,
    &not_an_entry,     &wrong_indentation, &scalar_for_fields, &name_with_space,
    &duplicate_name,   &unknown_variable,  &variable_cycle,    &expression_syntax,
    &expression_value, &two_readers,       &field_dims_differ, &data_header};

}  // namespace lbann::diagnostics
