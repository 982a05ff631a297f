// The syntaxes an experiment can be written in.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

namespace lbann {

/// `protobin` is protobuf's binary encoding of the messages whose text is `prototext`.
enum class Syntax : std::uint8_t { yaml, toml, prototext, protobin };
inline constexpr std::array<std::string_view, 4> syntax_names = {"yaml", "toml", "prototext",
                                                                 "protobin"};

/// Whether an experiment in it is LBANN's messages.
constexpr bool is_messages(Syntax syntax) {
  return syntax == Syntax::prototext || syntax == Syntax::protobin;
}

/// The syntax of a file by the end of its name; YAML where it says nothing.
constexpr Syntax syntax_of(std::string_view path) {
  constexpr std::array<std::string_view, 4> prototext = {".prototext", ".textproto", ".pbtxt",
                                                         ".txtpb"};
  for (auto end : prototext)
    if (path.ends_with(end)) return Syntax::prototext;
  for (std::string_view const end : {".protobin", ".binpb"})
    if (path.ends_with(end)) return Syntax::protobin;
  return path.ends_with(".toml") ? Syntax::toml : Syntax::yaml;
}

constexpr std::optional<Syntax> syntax_named(std::string_view name) {
  for (std::size_t i = 0; i < syntax_names.size(); ++i)
    if (syntax_names[i] == name) return static_cast<Syntax>(i);
  return std::nullopt;
}

}  // namespace lbann
