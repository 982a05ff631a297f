// A text as a tree in which every key and scalar knows its bytes, whatever its syntax was.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "schemas/plan/plan.hpp"
#include "schemas/vocabulary/span.hpp"

namespace lbann::compiler {

struct Entry;

/// A number of a long list: its value, which a double holds exactly if it is `whole`, and its
/// bytes.
struct WrittenNumber {
  double value;
  std::uint32_t begin;
  std::uint16_t length;
  bool whole;  ///< written without point and exponent
};

/// One value of a document: a scalar, a sequence or a mapping. Of lists of numbers that are as long
/// as a model's constants, `numbers` holds what a sequence would need ten times the memory for.
struct Node {
  enum class Kind : std::uint8_t { null, scalar, sequence, mapping, numbers };

  Kind kind = Kind::null;
  Span span;                   ///< from the first byte of the value to after its last
  std::string text;            ///< of a scalar, unquoted
  bool quoted = false;         ///< a quoted scalar is always a string
  std::vector<Node> items;     ///< of a sequence
  std::vector<Entry> entries;  ///< of a mapping, in order of the text
  std::shared_ptr<std::vector<WrittenNumber> const> numbers;  ///< of `numbers`

  /// The value under `key` of a mapping, or null.
  Entry const* find(std::string_view key) const;
};

struct Entry {
  std::string key;
  Span key_span;
  Node value;
};

/// One number of a node of `numbers` as a scalar.
Node scalar_node(Node const& numbers, WrittenNumber const& number);

/// A node of `numbers` as the sequence it stands for; any other as it is.
Node as_sequence(Node node);

/// One text and its tree.
struct Document {
  std::uint32_t file = 0;  ///< index in the table of sources
  Node root;
};

}  // namespace lbann::compiler
