// The fields of one message as fields of a declaration.
#pragma once

#include <string_view>

#include "compiler/declarations/declaration.hpp"
#include "compiler/diagnostics/diagnostic.hpp"
#include "compiler/source/document.hpp"

namespace lbann::compiler {

/// Translates the fields of messages by what their declarations ask for.
class MessageFields {
 public:
  explicit MessageFields(Report& report) : report_(report) {}

  /// The fields of `block` as a mapping. `message` is its kind and name in the table of rules
  /// (`callback.print`); `type` what the language declares of it, null where it knows nothing.
  /// Missing fields are completed by the table; warnings stand at `place`.
  Item fields(Item const& block, std::string_view message, DeclarationType const* type, Span place);

  /// A message whose only field, or whose `Any`, is one of `types`, as a mapping with a single key;
  /// null where it is none of them, which is reported. `kind` is the first half of the message's
  /// name in the table of rules.
  Item entry(Item const& given, std::string_view kind,
             std::vector<DeclarationType const*> const& types);

 private:
  /// A block without the keys that the message does not have, which are reported.
  Item checked(Item const& block, std::string_view message, DeclarationType const* type);
  void add(Item& mapping, Entry const& entry, std::string_view message,
           DeclarationType const* type);
  void confine(Item& given, std::string_view callback, std::string_view field);
  bool add_part(Item& mapping, Entry const& entry, DeclarationType const& type);
  Item part(PartType const& part, Item const& block, Span place);
  Item value(Item const& item, FieldInfo const* field);
  void append(Item& mapping, Entry const& entry, Item value, FieldInfo const* field);
  void complete(Item& mapping, std::string_view message, DeclarationType const& type, Span place);

  Report& report_;
};

/// A list without entries.
Item empty_list(Span span);

/// A mapping with one key.
Item single_entry(std::string key, Span key_span, Item value, Span span);

}  // namespace lbann::compiler
