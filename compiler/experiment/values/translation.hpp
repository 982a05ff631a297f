// Words of other frameworks in an experiment: what is meant, and the edits that say it in ours.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "compiler/declarations/declaration.hpp"
#include "compiler/diagnostics/diagnostic.hpp"
#include "compiler/experiment/values/foreign_names.hpp"
#include "compiler/source/document.hpp"

namespace lbann::compiler {

/// Adds to a diagnostic of an unknown type what it is called here: suggestions, notes, and the
/// edits where they are sure. The row is given if there is one with a name of ours, else null.
ForeignName const* explain_foreign_type(Diagnostic& diagnostic, Entry const& entry,
                                        std::vector<std::string_view> const& accepted);

/// The same of an unknown key of `mapping`, with what becomes of its value. The field that is meant
/// is given, or nothing.
std::string explain_foreign_field(Diagnostic& diagnostic, Node const& mapping, Entry const& entry,
                                  std::vector<std::string_view> const& accepted);

/// The edit that takes an entry out of its mapping.
TextEdit removal(Node const& mapping, Entry const& entry);

/// `Adam(lr=0.001)`: what is called, and its arguments. None where a text is not of this form.
struct CallText {
  std::string name;
  struct Argument {
    std::string name;  ///< empty if it is known by its position
    std::string value;
  };
  std::vector<Argument> arguments;
};
std::optional<CallText> call_text(std::string_view text);

/// An entry of a type with its fields in YAML's notation: `adam: {learn_rate: 0.001}`. Required
/// fields that the arguments do not give are `...`.
struct TranslatedEntry {
  std::string text;
  bool whole = false;  ///< every argument has its field, and no field is missing
};
TranslatedEntry translated_entry(DeclarationType const& type, CallText const& call);

/// `(5, 5)`, which YAML's braces take apart at its commas: the list, and the number of entries of
/// the mapping that it is made of. None where the value of entry `first` is no tuple.
struct Tuple {
  std::string list;
  std::size_t entries = 0;
  Span span;
};
std::optional<Tuple> tuple_at(Node const& mapping, std::size_t first);

/// The numbers that `same` or `valid` of a padding stand for, from the size of the window beside
/// it; empty where it is neither, or the stride is not 1, of which `same` depends on the input.
std::string named_padding(Node const& mapping, Entry const& entry);

}  // namespace lbann::compiler
