// A text as a tree in which every key and scalar knows its bytes, whatever its syntax was.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "schemas/plan/plan.hpp"
#include "schemas/vocabulary/span.hpp"

namespace lbann::compiler {

struct Entry;

/// One value of a document: a scalar, a sequence or a mapping.
struct Node {
  enum class Kind : std::uint8_t { null, scalar, sequence, mapping };

  Kind kind = Kind::null;
  Span span;                   ///< from the first byte of the value to after its last
  std::string text;            ///< of a scalar, unquoted
  bool quoted = false;         ///< a quoted scalar is always a string
  std::vector<Node> items;     ///< of a sequence
  std::vector<Entry> entries;  ///< of a mapping, in order of the text

  /// The value under `key` of a mapping, or null.
  Entry const* find(std::string_view key) const;
};

struct Entry {
  std::string key;
  Span key_span;
  Node value;
};

/// One text and its tree.
struct Document {
  std::uint32_t file = 0;  ///< index in the table of sources
  Node root;
};

}  // namespace lbann::compiler
