// Entries of a list of layers, taken apart so that they can be compared.
#pragma once

#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "compiler/experiment/declarations.hpp"
#include "compiler/source/document.hpp"

namespace lbann::compiler {

/// A name by which a layer speaks of another one.
struct Reference {
  std::string field;                 ///< `parents`, `weights_of` or `hint_layer`
  std::string text;                  ///< `layer` or `layer.output`
  std::optional<std::size_t> layer;  ///< in the list; nothing: no layer of this name
  std::string rest;                  ///< `.output`
};

/// One entry.
struct Piece {
  std::string type;
  std::string name;    ///< given, or what the layer is called without
  bool named = false;  ///< given
  bool layer = false;  ///< one that can be part of a module; what follows is empty otherwise
  bool writes_parents = false;
  std::vector<Reference> references;
  std::vector<Node> weights;  ///< names, or mappings that declare them
  std::vector<Entry> fields;  ///< everything else
  std::string kind;           ///< equal where two can be the same layer of a module
  std::size_t lines = 1;      ///< as YAML
};

/// The list taken apart. Entries with `children`, those that such lists name, and what is no layer
/// are not looked into.
std::vector<Piece> take_apart(std::vector<Node> const& entries, Declarations const& declarations);

/// The declared field of a layer's type or of all layers; null if there is none.
FieldInfo const* find_field(std::string_view type, std::string_view field,
                            Declarations const& declarations);

/// Whether an entry can leave a field out to which others give a value.
bool has_default(Piece const& piece, FieldInfo const* field);

}  // namespace lbann::compiler
