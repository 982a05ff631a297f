// Which keys LBANN's messages have, as LBANN spells them; others are reported.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "compiler/declarations/declaration.hpp"
#include "compiler/diagnostics/diagnostic.hpp"
#include "compiler/importer/message_table.hpp"
#include "compiler/source/document.hpp"

namespace lbann::compiler {

/// Keys of a message, `type` being what the language declares of it. `message` is its kind and name
/// in the table of rules (`callback.print`).
std::vector<std::string_view> message_keys(std::string_view message, DeclarationType const& type);

/// A block without the keys that it cannot have: each is reported. One that was probably meant and
/// is not given stands in the place of the wrong one, so that nothing is told that only follows
/// from the error.
Node with_known_keys(Node const& block, std::string_view owner,
                     std::vector<std::string_view> const& keys, Report& report,
                     std::vector<DeclarationType const*> const& relatives = {});

/// The field of LBANN's message that a key names; null where the table of messages has none.
MessageField const* message_field(std::string_view message, std::string_view key);

/// The key of the `Any` that holds a message: `safe_divide` stands in
/// `[type.googleapis.com/lbann_data.SafeDivideOperator]`.
std::string any_key(std::string_view name);

/// The one of `types` that a key names, as itself or as an `Any`. Where there is none this is
/// reported, `what` saying what it ought to be (`a callback`).
DeclarationType const* find_message(Entry const& entry, bool any, std::string_view what,
                                    std::vector<DeclarationType const*> const& types,
                                    Report& report);

}  // namespace lbann::compiler
