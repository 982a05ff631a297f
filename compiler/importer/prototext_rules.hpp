// THE table of what LBANN's messages mean where it is not what the language means.
#pragma once

#include <span>
#include <string_view>
#include <vector>

namespace lbann::compiler {

/// What LBANN does with a field that is not given. In most messages that is the same as zero.
enum class Absent : std::uint8_t {
  zero,      ///< takes zero, which the language does not: it is written out
  patched,   ///< takes the language's default; a zero that is given means the same
  one,       ///< takes one, which the language does not: it is written out
  on,        ///< switched on, and the message has no field for it
  optional,  ///< the message can tell it from zero, and it means the language's default
  inert      ///< zeros in this list do nothing: they are left out
};

/// One field of one message whose default in the language is not zero.
struct PrototextRule {
  std::string_view message;  ///< kind and name, e.g. `optimizer.adam`
  std::string_view field;
  Absent absent;
  std::string_view warning = {};  ///< what comes of the zero, where that cannot be meant
  std::string_view group = {};    ///< patched only if all fields of the group are zero
};

/// All rules of a message.
std::vector<PrototextRule const*> rules_of(std::string_view message);

std::span<PrototextRule const> prototext_rules();

/// A field that has another name in the language, or whose block's fields stand in its own place
/// (`name` is empty then).
struct PrototextRename {
  std::string_view message, field, name;
};

/// The entry for a field, or null.
PrototextRename const* rename_of(std::string_view message, std::string_view field);

/// The entry for a field by its name in the language, or null.
PrototextRename const* renamed_to(std::string_view message, std::string_view name);

/// Keys that a message has beside the fields that the language declares.
std::vector<std::string_view> further_keys(std::string_view message);

/// Whether the language has a field that the message has not.
bool has_no_field(std::string_view message, std::string_view field);

/// Whether a layer of the language is an operator in LBANN, which stands in an `operator_layer`.
bool is_operator(std::string_view layer);

/// Whether a layer of LBANN takes two weights where it needs one, and keeps the first.
bool keeps_first_weights(std::string_view layer);

/// Whether a callback writes event files, in the folder that LBANN's `summarizer` names.
bool writes_event_files(std::string_view callback);

/// Whether the name of a message is a row of capitals, e.g. `SGD`.
bool is_abbreviation(std::string_view name);

}  // namespace lbann::compiler
