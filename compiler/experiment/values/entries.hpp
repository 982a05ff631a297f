// Mappings with a single key, their type: how layers, readers, callbacks, optimizers and
// initializers are written.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "compiler/declarations/declaration.hpp"
#include "compiler/diagnostics/diagnostic.hpp"
#include "compiler/source/document.hpp"

namespace lbann::compiler {

/// An entry taken apart; `body` is a mapping or null.
struct TypedEntry {
  DeclarationType const* type = nullptr;
  Span type_span;
  Node const* body = nullptr;
  Span span;  ///< of the whole entry
  bool enabled = true;
  std::string_view reported_field;  ///< one that the message about an unknown type says to write
};

/// Takes an entry apart. `what` is what one entry is, with its article: `a layer`. Reports other
/// forms, unknown types, and values where fields belong; nothing then, or, where it is sure what
/// was meant, an entry of that type.
std::optional<TypedEntry> read_entry(Node const& node, std::string_view what,
                                     std::vector<DeclarationType const*> const& types,
                                     Report& report);

/// Reads the fields of an entry whose type has no others than its own.
std::optional<Declaration> read_declaration(TypedEntry const& entry,
                                            std::vector<DeclarationType const*> const& types,
                                            Report& report);

/// Both at once. Empty if switched off by `enabled: false`; nothing after a report.
std::optional<Declaration> read_declaration(Node const& node, std::string_view what,
                                            std::vector<DeclarationType const*> const& types,
                                            Report& report);

/// Reads a mapping of the fields and parts of one type. `others` are keys the caller reads itself;
/// missing fields are reported at `owner_span`. Always gives a declaration: what was wrong keeps
/// its default. `good`, if given, says whether nothing was.
Declaration read_section(DeclarationType const& type, Node const& body, Span owner_span,
                         std::vector<std::string_view> others, Report& report,
                         bool* good = nullptr);

/// Reads what stands in `body` under the keys of the parts of `type`. Nothing of it is required.
std::vector<DeclaredPart> read_parts(DeclarationType const& type, Node const& body, Report& report);

/// Whether `enabled:` in a mapping says so; true where it does not stand.
bool is_enabled(Node const& body, Report& report);

}  // namespace lbann::compiler
