// Tags, varints, lengths; what each field is, the table of messages tells.
#include "compiler/importer/decode_messages.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <charconv>
#include <cstring>
#include <optional>

#include "compiler/importer/message_table.hpp"
#include "compiler/source/read_prototext.hpp"
#include "compiler/source/text_checks.hpp"
#include "schemas/diagnostics/catalogue.hpp"
#include "schemas/plan/location.hpp"

namespace lbann::compiler {

namespace {

constexpr std::size_t deepest_message = 100;

/// How a value is encoded, with the numbers that tags have for it.
enum class Wire : std::uint8_t { varint = 0, eight_bytes = 1, delimited = 2, four_bytes = 5 };

/// How values of a type are encoded.
Wire wire_of(std::string_view type) {
  if (type == "double") return Wire::eight_bytes;
  if (type == "float") return Wire::four_bytes;
  bool const whole = type == "bool" || type == "int32" || type == "int64" || type == "uint32" ||
                     type == "uint64" || find_message_enum(type) != nullptr;
  return whole ? Wire::varint : Wire::delimited;
}

/// Ends the decoding after a diagnostic was added.
struct StopDecoding {};

/// The text of a number, as short as it can be read back.
template <class Number>
std::string shortest_text(Number number) {
  std::array<char, 32> text;
  auto const end = std::to_chars(text.data(), text.data() + text.size(), number);
  return {text.data(), end.ptr};
}

class Decoder {
 public:
  Decoder(std::string_view bytes, std::uint32_t file, Report& report)
      : bytes_(bytes), file_(file), report_(report), text_(decoded_messages) {}

  bool run() {
    try {
      message(*find_message_type("LbannPB"), bytes_.size(), 0);
    } catch (StopDecoding const&) {
      return false;
    }
    return true;
  }

  std::string take_text() { return std::move(text_); }

 private:
  /// The last line that was written.
  Span here() const {
    auto const end = static_cast<std::uint32_t>(text_.size() - 1);
    auto const begin = text_.rfind('\n', end - 1);
    return {file_, static_cast<std::uint32_t>(begin == text_.npos ? 0 : begin + 1), end};
  }

  [[noreturn]] void fail(std::size_t at, std::string reason) {
    report_.add(diagnostics::corrupt_message, here(), {std::to_string(at), std::move(reason)});
    throw StopDecoding{};
  }

  std::uint64_t varint(std::size_t end) {
    auto const begin = at_;
    std::uint64_t value = 0;
    for (unsigned shift = 0; shift < 64; shift += 7) {
      if (at_ >= end) fail(begin, "a number goes on past the end of its message");
      auto const byte = static_cast<unsigned char>(bytes_[at_++]);
      value |= std::uint64_t{byte & 0x7fu} << shift;
      if (byte < 0x80) return value;
    }
    fail(begin, "a number has more than ten bytes");
  }

  template <class Number>
  Number fixed(std::size_t end) {
    if (end - at_ < sizeof(Number)) fail(at_, "a number goes on past the end of its message");
    std::array<unsigned char, sizeof(Number)> raw;
    std::memcpy(raw.data(), bytes_.data() + at_, raw.size());
    at_ += raw.size();
    if constexpr (std::endian::native == std::endian::big) std::reverse(raw.begin(), raw.end());
    return std::bit_cast<Number>(raw);
  }

  /// The end of what is preceded by its length.
  std::size_t delimited_end(std::size_t end) {
    auto const begin = at_;
    auto const length = varint(end);
    if (length > end - at_)
      fail(begin, std::to_string(length) + " bytes are told, but " + std::to_string(end - at_) +
                      " are left of the message");
    return at_ + static_cast<std::size_t>(length);
  }

  void message(MessageType const& type, std::size_t end, std::size_t level) {
    if (level >= deepest_message) fail(at_, "messages are nested more than 100 levels deep");
    while (at_ < end) {
      auto const begin = at_;
      auto const tag = varint(end);
      auto const number = tag >> 3;
      auto const wire = static_cast<Wire>(tag & 7);
      if (number == 0 || number > 0x1fffffff) fail(begin, "no field has this number");
      auto const* field = type.find(static_cast<std::uint32_t>(number));
      if (field == nullptr) {
        check_wire(wire, begin);
        report_.add(diagnostics::unknown_number, here(),
                    {std::string(type.name), std::to_string(number)});
        throw StopDecoding{};
      }
      bool const packed =
          field->repeated && wire == Wire::delimited && wire_of(field->type) != Wire::delimited;
      if (!packed && wire != wire_of(field->type))
        fail(begin, "`" + std::string(field->name) + "` of `" + std::string(type.name) +
                        "` is not encoded as `" + std::string(field->type) + "`");
      write(*field, packed, end, level);
      if (text_.size() > largest_messages) fail(at_, "its text is larger than 128 MiB");
    }
  }

  void check_wire(Wire wire, std::size_t begin) {
    constexpr Wire known[] = {Wire::varint, Wire::eight_bytes, Wire::delimited, Wire::four_bytes};
    for (auto const each : known)
      if (each == wire) return;
    fail(begin, "no field is encoded like this");
  }

  void write(MessageField const& field, bool packed, std::size_t end, std::size_t level) {
    text_.append(2 * level, ' ').append(field.name);
    if (auto const* type = find_message_type(field.type)) {
      auto const inner = delimited_end(end);
      text_ += " {\n";
      if (field.type == "Any")
        any(inner, level + 1);
      else
        message(*type, inner, level + 1);
      text_.append(2 * level, ' ') += "}\n";
      return;
    }
    text_ += ": ";
    if (packed) {
      auto const last = delimited_end(end);
      text_ += '[';
      for (bool first = true; at_ < last; first = false) {
        if (!first) text_ += ", ";
        value(field, last);
      }
      text_ += ']';
    } else {
      value(field, end);
    }
    text_ += '\n';
  }

  void value(MessageField const& field, std::size_t end) {
    auto const& type = field.type;
    if (type == "double") {
      text_ += shortest_text(fixed<double>(end));
    } else if (type == "float") {
      text_ += shortest_text(fixed<float>(end));
    } else if (type == "string") {
      auto const last = delimited_end(end);
      quote(bytes_.substr(at_, last - at_));
      at_ = last;
    } else if (auto const raw = varint(end); type == "bool") {
      text_ += raw == 0 ? "false" : "true";
    } else if (type == "uint32" || type == "uint64") {
      text_ += shortest_text(raw);
    } else {
      text_ += enumerator_or_number(type, static_cast<std::int64_t>(raw));
    }
  }

  static std::string enumerator_or_number(std::string_view type, std::int64_t value) {
    if (auto const* names = find_message_enum(type))
      for (auto const& [name, number] : names->values)
        if (number == value) return std::string(name);
    return shortest_text(value);
  }

  void quote(std::string_view bytes) {
    text_ += '"';
    for (char const c : bytes) {
      auto const byte = static_cast<unsigned char>(c);
      if (c == '"' || c == '\\') {
        text_ += '\\';
        text_ += c;
      } else if (byte < 0x20 || byte == 0x7f) {
        constexpr std::string_view digits = "01234567";
        for (auto const shift : {6, 3, 0})
          (shift == 6 ? text_ += '\\' : text_) += digits[(byte >> shift) & 7u];
      } else {
        text_ += c;
      }
    }
    text_ += '"';
  }

  /// A message of any type, and the name of that.
  void any(std::size_t end, std::size_t level) {
    std::optional<std::string_view> url;
    std::size_t begin = at_, last = at_;
    auto const first = at_;
    while (at_ < end) {
      auto const tag = varint(end);
      if (tag != 10 && tag != 18) fail(first, "it is no message of any type");
      auto const inner = delimited_end(end);
      if (tag == 10) url = bytes_.substr(at_, inner - at_);
      if (tag == 18) begin = at_, last = inner;
      at_ = inner;
    }
    if (!url) return;
    constexpr std::string_view package = "lbann_data.";
    auto name = url->substr(url->rfind('/') + 1);
    if (name.starts_with(package)) name.remove_prefix(package.size());
    auto const* type = find_message_type(name);
    if (type == nullptr) {
      text_ += "# ";
      auto const shown = text_.size();
      quote(name);
      text_ += '\n';
      fail(first, "LBANN has no message " + text_.substr(shown, text_.size() - shown - 1));
    }
    text_.append(2 * level, ' ').append("[type.googleapis.com/lbann_data.").append(name) += "] {\n";
    at_ = begin;
    message(*type, last, level + 1);
    at_ = end;
    text_.append(2 * level, ' ') += "}\n";
  }

  std::string_view bytes_;
  std::uint32_t file_;
  Report& report_;
  std::string text_;
  std::size_t at_ = 0;
};

}  // namespace

bool decode_messages(Source& source, std::uint32_t file, Report& report) {
  Decoder decoder(source.text, file, report);
  bool const good = decoder.run();
  source.text = decoder.take_text();
  return good;
}

std::optional<Document> read_protobin(Source& source, std::uint32_t file, Report& report) {
  if (!decode_messages(source, file, report)) return std::nullopt;
  return read_prototext(source, file, report);
}

}  // namespace lbann::compiler
