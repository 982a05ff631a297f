// LBANN's messages: the names, numbers and types of their fields.
#pragma once

#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

namespace lbann::compiler {

/// One field of a message. `type` is `bool`, `int32`, `int64`, `uint32`, `uint64`, `float`,
/// `double`, `string`, `bytes`, or the name of an enumeration or a message.
struct MessageField {
  std::string_view name;
  std::uint32_t number = 0;
  std::string_view type;
  bool repeated = false;
};

struct MessageType {
  std::string_view name;  ///< without its package, e.g. `Layer.Convolution`
  std::vector<MessageField> fields;

  /// The field with this number or name, or null.
  MessageField const* find(std::uint32_t number) const;
  MessageField const* find(std::string_view name) const;
};

/// An enumeration: each value's name and number.
struct MessageEnum {
  std::string_view name;
  std::vector<std::pair<std::string_view, std::int64_t>> values;
};

/// All messages of LBANN, as `compiler/importer/messages` lists them.
std::vector<MessageType> const& message_types();
std::vector<MessageEnum> const& message_enums();

/// The message or enumeration with this name, or null.
MessageType const* find_message_type(std::string_view name);
MessageEnum const* find_message_enum(std::string_view name);

}  // namespace lbann::compiler
