// What is wrong with an experiment, as a value: code, place, words, and what to write instead.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "schemas/diagnostics/diagnostic_info.hpp"
#include "schemas/vocabulary/nearest.hpp"
#include "schemas/vocabulary/span.hpp"
#include "schemas/vocabulary/syntax.hpp"

namespace lbann::compiler {

/// Words at a second place, e.g. `first defined here`.
struct Label {
  Span span;
  std::string words;
};

/// Text to write in place of what stands at a span; nothing to take it out.
struct TextEdit {
  Span span;
  std::string text;  ///< in YAML's notation
};

/// What stands at a place of a message.
struct MessageValue {
  std::string_view name;  ///< of the place, e.g. `dims`
  std::string text;
};

struct Diagnostic {
  DiagnosticInfo const* info = nullptr;  ///< entry of the catalogue
  Span span;
  std::string message;               ///< the catalogue's, with its places filled
  std::string help;                  ///< the catalogue's
  Syntax syntax = Syntax::yaml;      ///< that labels, notes, suggestions and help are written in
  std::vector<MessageValue> values;  ///< what they were filled with
  std::vector<Label> labels;
  std::vector<std::string> notes;        ///< context, e.g. the chain of shapes that led here
  std::vector<std::string> suggestions;  ///< nearest valid names or text to write, best first
  std::vector<TextEdit> edits;  ///< together they say what was meant; empty where it is not sure
};

/// Collects diagnostics; nothing is thrown.
class Report {
 public:
  /// Adds a diagnostic; `arguments`, shortened, fill the places of the catalogue's message in
  /// order; another number of them is a fault of ours: std::logic_error.
  Diagnostic& add(DiagnosticInfo const& info, Span span, std::vector<std::string> arguments = {});
  /// Source `file` is written in this syntax; YAML where nothing is said.
  void file_is(std::uint32_t file, Syntax syntax);
  /// The syntax of a source; that of the first for places in none.
  Syntax syntax_of_file(std::uint32_t file) const;
  /// Warnings or notes of this kind are not told within `place`.
  void allow(DiagnosticInfo const& info, Span place) { allowed_.push_back({&info, place}); }
  /// Whether no plan is made.
  bool has_errors() const { return errors() > 0; }
  /// How many diagnostics keep a plan from being made.
  std::size_t errors() const;
  /// Forgets the diagnostics, but not what is known of sources and allowed places.
  void clear() { diagnostics_.clear(); }
  /// All that were added, allowed or not.
  std::vector<Diagnostic> const& diagnostics() const { return diagnostics_; }
  /// Those to be told, in order of their places, without repetitions.
  std::vector<Diagnostic const*> sorted() const;

 private:
  struct Allowance {
    DiagnosticInfo const* info;
    Span place;
  };
  bool is_allowed(Diagnostic const& diagnostic) const;

  std::vector<Diagnostic> diagnostics_;
  std::vector<Allowance> allowed_;
  std::vector<Syntax> syntaxes_;  ///< by source
};

/// Puts suggestions before those that are there: no repetitions, at most three in all.
void suggest_first(Diagnostic& diagnostic, std::vector<std::string> const& better);

}  // namespace lbann::compiler
