// What can be wrong with a text before anything is known about its meaning.
#pragma once

#include "schemas/diagnostics/diagnostic_info.hpp"

namespace lbann::diagnostics {

inline constexpr DiagnosticInfo syntax_error{"syntax-error", Stage::source, Severity::error,
                                             "{what}", ""};

inline constexpr DiagnosticInfo invalid_utf8{"invalid-utf8", Stage::source, Severity::error,
                                             "the byte {byte} is not UTF-8",
                                             "Save the file as UTF-8."};

inline constexpr DiagnosticInfo control_character{
    "control-character", Stage::source, Severity::error,
    "the control character {character} cannot stand in an experiment",
    "Remove it; a file that holds it may be binary."};

inline constexpr DiagnosticInfo tab_indentation{
    "tab-indentation", Stage::source, Severity::error, "a tab in the indentation",
    "YAML is indented by spaces; how wide a tab is differs from editor to editor."};

inline constexpr DiagnosticInfo duplicate_key{
    "duplicate-key",
    Stage::source,
    Severity::error,
    "the key `{key}` stands twice in one mapping",
    "Keep one of them; YAML readers differ in which one they believe.",
    "Keep one of them."};

inline constexpr DiagnosticInfo key_not_text{"key-not-text", Stage::source, Severity::error,
                                             "a key must be a plain word", ""};

inline constexpr DiagnosticInfo merge_key{
    "merge-key", Stage::source, Severity::error,
    "a merge key (`<<`) takes a mapping, or a list of mappings",
    "For example `<<: *defaults`, where `&defaults` stands before a mapping."};

inline constexpr DiagnosticInfo unknown_tag{
    "unknown-tag", Stage::source, Severity::error, "the tag `{tag}` is not part of the language",
    "Remove the tag; a value is read as what its field asks for."};

inline constexpr DiagnosticInfo several_documents{
    "several-documents", Stage::source, Severity::error, "a second document begins here",
    "An experiment is one document; remove the line `---` or `...`."};

inline constexpr DiagnosticInfo recursive_alias{"recursive-alias", Stage::source, Severity::error,
                                                "the alias is inside of what it stands for", ""};

inline constexpr DiagnosticInfo corrupt_message{
    "corrupt-message", Stage::source, Severity::error,
    "byte {byte} of the binary message is wrong: {reason}",
    "Check that the file is complete, and that it holds an experiment of LBANN (`LbannPB`)."};

inline constexpr DiagnosticInfo unknown_number{
    "unknown-number", Stage::source, Severity::error, "`{message}` has no field of number {number}",
    "Where the file comes from another version of LBANN, turn it into text there "
    "(`python3 -m lbann.proto.bin2text`) and compile that."};

inline constexpr DiagnosticInfo unknown_code{
    "unknown-code", Stage::source, Severity::error, "no warning or note has the code `{code}`",
    "`x-allow` lists codes as messages show them in brackets; what is an error cannot be allowed."};

inline constexpr DiagnosticInfo too_deep{"too-deep", Stage::source, Severity::error,
                                         "nested more than {levels} levels deep", ""};

inline constexpr DiagnosticInfo too_large{
    "too-large",
    Stage::source,
    Severity::error,
    "{what}",
    "An experiment has at most 32 MiB of text; aliases, variables, included files, repeats and "
    "calls "
    "add at most a million values and 64 MiB. Look for what multiplies, one inside of another.",
    "Messages have at most 128 MiB of text; long lists of numbers belong into a file of NumPy's "
    "(`numpy_initializer`)."};

}  // namespace lbann::diagnostics
