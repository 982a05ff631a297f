// Items made by the program rather than read from a text.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "compiler/experiment/experiment.hpp"
#include "compiler/source/document.hpp"

namespace lbann::compiler {

/// A scalar as it stands; texts are quoted where need be.
Item scalar_item(std::string text, bool quoted);

/// A text; what looks like an expression is kept from being one.
Item literal_item(std::string text);

Item list_item(std::vector<Item> items = {});

Item mapping_item();

void put(Item& mapping, std::string_view key, Item value);

/// `type: {...}`, or `type:` where there are no fields.
Item single_key(std::string_view type, Item body);

/// A value of a field.
Item to_item(FieldInfo const& field, Value const& value);

/// Whether a text can hold the value: a default outside of the range means "left out".
bool can_be_written(FieldInfo const& field, Value const& value);

Item to_item(std::vector<Name> const& names);

/// One element stands for a list of one, unless it could be taken for several.
Item shortened(Item list);

/// Whether two items say the same, wherever they stand.
bool same(Item const& a, Item const& b);

}  // namespace lbann::compiler
