// Messages in protobuf's wire format.
#pragma once

#include <bit>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <string_view>

namespace lbann::runtime {

/// The bytes of one message; each function appends a field
/// (protobuf.dev/programming-guides/encoding).
class ProtobufMessage {
 public:
  std::string const& bytes() const { return bytes_; }
  void clear() { bytes_.clear(); }

  /// int32, int64, bool and enumerations.
  void integer(std::uint32_t field, std::int64_t value) {
    key(field, 0);
    varint(static_cast<std::uint64_t>(value));
  }
  void number(std::uint32_t field, double value) {
    key(field, 1);
    fixed(std::bit_cast<std::uint64_t>(value), 8);
  }
  void number(std::uint32_t field, float value) {
    key(field, 5);
    fixed(std::bit_cast<std::uint32_t>(value), 4);
  }
  /// string and bytes, and messages.
  void text(std::uint32_t field, std::string_view value) {
    key(field, 2);
    varint(value.size());
    bytes_ += value;
  }
  void message(std::uint32_t field, ProtobufMessage const& value) { text(field, value.bytes_); }
  /// A packed repeated double.
  void numbers(std::uint32_t field, std::span<double const> values) {
    key(field, 2);
    varint(8 * values.size());
    for (auto const value : values) fixed(std::bit_cast<std::uint64_t>(value), 8);
  }

 private:
  void key(std::uint32_t field, std::uint32_t wire_type) { varint(field << 3 | wire_type); }
  void varint(std::uint64_t value) {
    for (; value >= 0x80; value >>= 7) bytes_ += static_cast<char>(value | 0x80);
    bytes_ += static_cast<char>(value);
  }
  void fixed(std::uint64_t value, int bytes) {
    for (; bytes > 0; --bytes, value >>= 8) bytes_ += static_cast<char>(value);
  }

  std::string bytes_;
};

}  // namespace lbann::runtime
