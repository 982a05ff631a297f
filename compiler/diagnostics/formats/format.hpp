// Diagnostics for programs: scripts, editors, and what shows them in a merge request.
#pragma once

#include <array>
#include <span>
#include <string>
#include <string_view>

#include "compiler/diagnostics/formats/located.hpp"

namespace lbann::compiler {

/// What `--format` chooses.
enum class Format : std::uint8_t { human, json, github, sarif, gitlab, junit };
inline constexpr std::array<std::string_view, 6> format_names = {"human", "json",   "github",
                                                                 "sarif", "gitlab", "junit"};

/// All that is said of experiments, in a format other than `human`, as one text.
///
/// json: one object a line, `{"code", "severity", "stage", "message", "values", "help", "place",
/// "labels", "notes", "causes", "suggestions", "times"}`; a place is `{"file", "line", "column",
/// "end_line", "end_column", "begin", "end"}`, lines and columns from 1 and in characters, begin
/// and end in bytes from 0; `null` where no text is to blame.
///
/// github: one workflow command a line, `::error file=...,line=...,col=...,title=CODE::words`.
///
/// sarif: a log of SARIF 2.1.0 (OASIS), which GitHub and editors read.
///
/// gitlab: a report of GitLab's Code Quality.
///
/// junit: a test case for each experiment, which fails where it has errors.
std::string formatted(Format format, std::span<CheckedExperiment const> experiments);

}  // namespace lbann::compiler
