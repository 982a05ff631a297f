// Diagnostics with files, lines and columns in place of spans: what formats for programs write.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "compiler/diagnostics/render.hpp"

namespace lbann::compiler {

/// A part of a text, without what lies outside of it.
struct Place {
  std::string file;  ///< as it was named, or `command_line_name`
  Position begin, end;
  std::size_t begin_byte = 0, end_byte = 0;

  bool in_file() const { return file != command_line_name; }
};

/// Nothing where it is not known.
std::optional<Place> place_of(Span span, std::vector<Source> const& sources);

struct LocatedEdit {
  Place place;
  std::string text;  ///< in the notation of the file; nothing to take out what stands there
};

struct LocatedLabel {
  std::string words;
  std::optional<Place> place;
};

/// A diagnostic, or what kept an experiment from being read (without `info`).
struct LocatedFinding {
  std::string_view code;
  DiagnosticInfo const* info = nullptr;
  Severity severity = Severity::error;
  std::string message;
  std::optional<Place> place;
  std::vector<LocatedLabel> labels, causes;
  std::vector<std::string> notes, suggestions;
  std::vector<MessageValue> values;
  std::string help;
  std::size_t times = 1;
  std::vector<LocatedEdit> edits;  ///< together they repair it; all of one file
};

/// What is said of one experiment.
struct CheckedExperiment {
  std::string file;
  std::vector<LocatedFinding> findings;
};

/// Codes of what keeps an experiment from being read, and of a fault of the compiler.
inline constexpr std::string_view unreadable_code = "unreadable-file";
inline constexpr std::string_view internal_error_code = "internal-error";

/// The findings of a report with their places.
std::vector<LocatedFinding> located_findings(Report const& report,
                                             std::vector<Source> const& sources);

/// A finding about a file as a whole.
LocatedFinding finding_of_file(std::string_view code, std::string file, std::string message);

/// Message, suggestions, labels, notes, causes and help, a line each, with places; without the
/// place of the finding itself.
std::string words_of(LocatedFinding const& finding);

/// How many findings are of this severity.
std::size_t count_of(CheckedExperiment const& experiment, Severity severity);

}  // namespace lbann::compiler
