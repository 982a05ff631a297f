// What can be wrong with the contents of an experiment by itself.
#pragma once

#include "schemas/diagnostics/diagnostic_info.hpp"

namespace lbann::diagnostics {

inline constexpr DiagnosticInfo empty_experiment{"empty-experiment",
                                                 Stage::experiment,
                                                 Severity::error,
                                                 "the experiment is empty",
                                                 "It needs at least `model:` with `layers:`.",
                                                 "It needs at least `model { layer { ... } }`."};

inline constexpr DiagnosticInfo unknown_field{
    "unknown-field",
    Stage::experiment,
    Severity::error,
    "`{field}` is not a field of `{declaration}`",
    "Keys of your own begin with `x-`.",
    "Only fields of LBANN's messages may stand here; remarks of your own are comments, `# ...`."};

inline constexpr DiagnosticInfo data_field_not_given{
    "data-field-not-given", Stage::experiment, Severity::error,
    "the reader `{reader}` gives no data field `{field}`",
    "Readers with `arrays`, `columns` or `datasets` give the data fields that these name."};

inline constexpr DiagnosticInfo unknown_type{"unknown-type", Stage::experiment, Severity::error,
                                             "`{type}` is not {kind}", ""};

inline constexpr DiagnosticInfo missing_field{"missing-field", Stage::experiment, Severity::error,
                                              "`{declaration}` needs {field}", ""};

inline constexpr DiagnosticInfo wrong_type{"wrong-type", Stage::experiment, Severity::error,
                                           "`{field}` must be {expected}, not {found}", ""};

inline constexpr DiagnosticInfo not_a_choice{"not-a-choice", Stage::experiment, Severity::error,
                                             "`{field}` must be one of {choices}, not `{found}`",
                                             ""};

inline constexpr DiagnosticInfo out_of_range{"out-of-range", Stage::experiment, Severity::error,
                                             "`{field}` must be {range}, not {found}", ""};

inline constexpr DiagnosticInfo ambiguous_scalar{
    "ambiguous-scalar", Stage::experiment, Severity::error,
    "`{scalar}` means one thing in YAML 1.1 and another in YAML 1.2",
    "Both readings are plausible; write the one that is meant."};

inline constexpr DiagnosticInfo not_an_entry{
    "not-an-entry", Stage::experiment, Severity::error,
    "{entry} must be a mapping with a single key, its type", ""};

inline constexpr DiagnosticInfo wrong_indentation{
    "wrong-indentation", Stage::experiment, Severity::error,
    "`{field}` stands beside `{entry}`, not inside of it",
    "Indent the fields of an entry further than its type."};

inline constexpr DiagnosticInfo scalar_for_fields{
    "scalar-for-fields", Stage::experiment, Severity::error,
    "`{declaration}` takes fields by name, not the value {value}", ""};

inline constexpr DiagnosticInfo name_with_space{
    "name-with-space", Stage::experiment, Severity::error,
    "the name `{name}` has a space in it or ends like an output",
    "Outputs are named `layer.0`, so the name of a layer does not end like that."};

inline constexpr DiagnosticInfo duplicate_name{
    "duplicate-name", Stage::experiment, Severity::warning, "there are two {kind} named `{name}`",
    "What names it means the last; give one of them another name."};

inline constexpr DiagnosticInfo unknown_variable{
    "unknown-variable", Stage::experiment, Severity::error, "there is no variable `{variable}`",
    "Variables are declared under `variables:` at the top."};

inline constexpr DiagnosticInfo unset_environment{
    "unset-environment", Stage::experiment, Severity::error,
    "the environment has no variable `{variable}`",
    "What `${env:NAME}` stands for is set in the shell that starts the compiler."};

inline constexpr DiagnosticInfo include_file{
    "include-file", Stage::experiment, Severity::error, "`{file}` cannot be included: {reason}",
    "Paths are relative to the folder of the file that names them."};

inline constexpr DiagnosticInfo unknown_module{"unknown-module", Stage::experiment, Severity::error,
                                               "there is no module `{module}`",
                                               "Modules are declared under `modules:` at the top."};

inline constexpr DiagnosticInfo module_cycle{"module-cycle", Stage::experiment, Severity::error,
                                             "modules call each other in a circle: {path}",
                                             "Unroll with `repeat:` what should recur."};

inline constexpr DiagnosticInfo unknown_call{
    "unknown-call", Stage::experiment, Severity::error,
    "no call of `{module}` before this one is named `{call}`",
    "A call shares weights with an earlier call of the same module."};

inline constexpr DiagnosticInfo unmatched_pattern{
    "unmatched-pattern", Stage::experiment, Severity::error, "no layer's name matches `{pattern}`",
    "In a pattern `*` stands for any characters and `?` for one."};

inline constexpr DiagnosticInfo layer_as_field{
    "layer-as-field",
    Stage::experiment,
    Severity::error,
    "`{layer}` is a layer of its own, not a field of `{declaration}`",
    "Layers stand one below the other in the list, each behind its own `- `.",
    "Each layer is a message `layer { ... }` of its own in `model`."};

inline constexpr DiagnosticInfo no_effect{
    "no-effect", Stage::experiment, Severity::note, "`{key}` has no effect: {reason}", "", "",
    true};

inline constexpr DiagnosticInfo missing_for_lbann{"missing-for-lbann",
                                                  Stage::experiment,
                                                  Severity::warning,
                                                  "without `{field}` LBANN stops; {instead}",
                                                  "Write the field with what is meant.",
                                                  "",
                                                  true};

inline constexpr DiagnosticInfo variable_cycle{"variable-cycle", Stage::experiment, Severity::error,
                                               "the variable `{variable}` is defined by itself",
                                               ""};

inline constexpr DiagnosticInfo expression_syntax{
    "expression-syntax", Stage::experiment, Severity::error,
    "{problem} in the expression `{expression}`",
    "Expressions know numbers, 'texts', names of variables, `+ - * / // %`, comparisons, `and or "
    "not`, "
    "`a if b else c`, `list[0]`, `min`, `max` and `len`."};

inline constexpr DiagnosticInfo expression_value{"expression-value", Stage::experiment,
                                                 Severity::error,
                                                 "{problem} in the expression `{expression}`", ""};

inline constexpr DiagnosticInfo two_readers{"two-readers", Stage::experiment, Severity::error,
                                            "a second reader for the role `{role}`",
                                            "One reader per role."};

inline constexpr DiagnosticInfo field_dims_differ{
    "field-dims-differ",
    Stage::experiment,
    Severity::error,
    "`{field}` is declared with dims {dims}, but {other}",
    "Remove the declared dims, or correct them.",
    "Correct `--field`, or leave it out."};

inline constexpr DiagnosticInfo data_header{
    "data-header", Stage::experiment, Severity::error,
    "`{file}` is not what `{reader}` reads: {reason}",
    "Check the path, and that the file was downloaded completely."};

inline constexpr DiagnosticInfo module_failed{
    "module-failed", Stage::experiment, Severity::error,
    "`{module}`, which gives the samples of `{reader}`, cannot be asked: {reason}",
    "The run asks it the same; try it in Python by itself: import it and call its functions."};

inline constexpr DiagnosticInfo hdf5_schema{"hdf5-schema", Stage::experiment, Severity::error,
                                            "{problem}",
                                            "The data schema says what each sample holds, the "
                                            "experiment schema what of it is used; `metadata` "
                                            "at a node holds for all below it."};

inline constexpr DiagnosticInfo schema_not_here{
    "schema-not-here", Stage::experiment, Severity::warning,
    "the schema `{file}` of `{reader}` is not here, so that no run can take this plan",
    "Compile the experiment where its schemas are: beside it, in the working directory or in "
    "--data-root."};

inline constexpr DiagnosticInfo data_set_metadata{
    "data-set-metadata", Stage::experiment, Severity::error, "{problem}",
    "`data_set_metadata` says what each sample of JAG simulations holds and what of it is used."};

inline constexpr DiagnosticInfo metadata_not_here{
    "metadata-not-here", Stage::experiment, Severity::warning,
    "`{reader}` needs `data_set_metadata`, which is not here, so that no run can take this plan",
    "Write it, or name the file of its message behind the experiment's: `lbann-compile "
    "experiment.prototext metadata.prototext`."};

inline constexpr DiagnosticInfo data_not_here{
    "data-not-here", Stage::experiment, Severity::warning,
    "there is no {kind} `{path}` here, but one with a similar name",
    "Correct the name, unless the data lie elsewhere: they are looked for again when the run "
    "starts."};

inline constexpr DiagnosticInfo transform_misfit{
    "transform-misfit", Stage::experiment, Severity::error, "`{transform}` {reason}",
    "Transforms are applied in the order in which they are written."};

inline constexpr DiagnosticInfo transform_takes_bytes{
    "transform-takes-bytes", Stage::experiment, Severity::error,
    "`{transform}` takes bytes of 0 to 255, but `{reader}` gives them times {scale}",
    "Give the reader `scale: 1`; `to_lbann_layout` at the end divides by 255."};

inline constexpr DiagnosticInfo not_supported_yet{
    "not-supported-yet", Stage::experiment, Severity::error,
    "`{declaration}` is declared, but not supported yet",
    "With `--allow-unbuilt` this is a warning, and the plan cannot be run."};

inline constexpr DiagnosticInfo not_supported_yet_allowed{
    "not-supported-yet-allowed", Stage::experiment, Severity::warning,
    "`{declaration}` is declared, but not supported yet; the plan cannot be run", ""};

inline constexpr DiagnosticInfo zero_by_default{"zero-by-default",
                                                Stage::experiment,
                                                Severity::warning,
                                                "without `{field}` LBANN takes 0: {effect}",
                                                "Fields of a protobuf message that are not given "
                                                "are 0; write the value that is meant, be it 0.",
                                                "",
                                                true};

inline constexpr DiagnosticInfo contradicting_fields{"contradicting-fields", Stage::experiment,
                                                     Severity::error, "`{field}`: {reason}", ""};

inline constexpr DiagnosticInfo path_confined{
    "path-confined",
    Stage::experiment,
    Severity::warning,
    "`{path}` leads out of the folder that a run writes to; `{inside}` in it is written",
    "A run writes below `lbann-run --work-dir` only; write a relative path without `..`.",
    "",
    true};

inline constexpr DiagnosticInfo not_in_float{
    "not-in-float",
    Stage::experiment,
    Severity::error,
    "`{field}` {value} is {becomes} as a `float`",
    "A `float` holds 1.4e-45 to 3.4e+38. Correct the number, or compute in `double`: `datatype: "
    "double`.",
    "A `float` holds 1.4e-45 to 3.4e+38. Correct the number, or compute in `DOUBLE`: `datatype: "
    "DOUBLE`."};

inline constexpr DiagnosticInfo unusual_value{
    "unusual-value", Stage::experiment, Severity::warning, "`{field}` is {value}: {effect}",
    "The plan is made with this number; write the one that is meant."};

}  // namespace lbann::diagnostics
