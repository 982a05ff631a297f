// Nodes made by the program rather than read from a text.
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
Node scalar_node(std::string text, bool quoted);

/// A text; what looks like an expression is kept from being one.
Node literal_node(std::string text);

Node list_node(std::vector<Node> items = {});

Node mapping_node();

void put(Node& mapping, std::string_view key, Node value);

/// `type: {...}`, or `type:` where there are no fields.
Node single_key(std::string_view type, Node body);

/// A value of a field.
Node to_node(FieldInfo const& field, Value const& value);

/// Whether a text can hold the value: a default outside of the range means "left out".
bool can_be_written(FieldInfo const& field, Value const& value);

Node to_node(std::vector<Name> const& names);

/// One element stands for a list of one, unless it could be taken for several.
Node shortened(Node list);

/// Whether two items say the same, wherever they stand.
bool same(Node const& a, Node const& b);

}  // namespace lbann::compiler
