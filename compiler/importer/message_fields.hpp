// The fields of one message as fields of a declaration.
#pragma once

#include <string_view>

#include "compiler/declarations/declaration.hpp"
#include "compiler/diagnostics/diagnostic.hpp"
#include "compiler/importer/prototext_rules.hpp"
#include "compiler/source/document.hpp"

namespace lbann::compiler {

/// Translates the fields of messages by what their declarations ask for.
class MessageFields {
 public:
  explicit MessageFields(Report& report) : report_(report) {}

  /// The fields of `block` as a mapping. `message` is its kind and name in the table of rules
  /// (`callback.print`); `type` what the language declares of it, null where it knows nothing.
  /// Missing fields are completed by the table; warnings stand at `place`.
  Node fields(Node const& block, std::string_view message, DeclarationType const* type, Span place);

  /// A message whose only field, or whose `Any`, is one of `types`, as a mapping with a single key;
  /// null where it is none of them, which is reported. `kind` is the first half of the message's
  /// name in the table of rules.
  Node entry(Node const& given, std::string_view kind,
             std::vector<DeclarationType const*> const& types);

 private:
  /// A block without the keys that the message does not have, which are reported.
  Node checked(Node const& block, std::string_view message, DeclarationType const* type);
  void add(Node& mapping, Entry const& entry, std::string_view message,
           DeclarationType const* type);
  void confine(Node& given, FieldInfo const& field);
  bool add_part(Node& mapping, Entry const& entry, DeclarationType const& type);
  Node part(PartType const& part, Node const& block, Span place);
  /// `splits`: a text may hold several of a list, as in `parents: "a b"`.
  Node value(Node const& node, FieldInfo const* field, bool splits);
  void append(Node& mapping, Entry const& entry, Node value, FieldInfo const* field);
  void leave_out_zeros(Node& list, PrototextRule const& rule);
  void complete(Node& mapping, std::string_view message, DeclarationType const& type, Span place);

  Report& report_;
};

/// A list without entries.
Node empty_list(Span span);

/// A mapping with one key.
Node single_entry(std::string key, Span key_span, Node value, Span span);

}  // namespace lbann::compiler
