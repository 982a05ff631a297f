// Diagnostics for programs: JSON for editors and scripts, workflow commands for GitHub.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>

#include "compiler/diagnostics/diagnostic.hpp"
#include "schemas/plan/plan.hpp"

namespace lbann::compiler {

/// What `--format` chooses.
enum class Format : std::uint8_t { human, json, github };
inline constexpr std::array<std::string_view, 3> format_names = {"human", "json", "github"};

/// All diagnostics of a report in a format, in order of their places.
///
/// json: one object a line, `{"code", "severity", "stage", "message", "help", "place", "labels",
/// "notes", "causes", "suggestions", "times"}`; a place is `{"file", "line", "column", "end_line",
/// "end_column", "begin", "end"}`, lines and columns from 1 and in characters, begin and end in
/// bytes from 0; `null` where no text is to blame.
///
/// github: one workflow command a line, `::error file=...,line=...,col=...,title=CODE::words`.
std::string render(Report const& report, std::vector<Source> const& sources, Format format,
                   bool colour);

}  // namespace lbann::compiler
