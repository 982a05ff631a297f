// manifest.json as text. The first line holds the digest of the rest, so that any changed byte is
// found, and the whole is still JSON.
#include "runtime/checkpoints/manifest.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "schemas/plan/digest.hpp"

namespace lbann::runtime {

namespace {

using Json = nlohmann::json;

constexpr std::int64_t manifest_format = 1;
constexpr std::string_view damaged = "manifest.json is damaged: its digest differs";

std::uint64_t digest_of(std::string_view text) {
  return digest({reinterpret_cast<std::uint8_t const*>(text.data()), text.size()});
}

std::string first_line(std::string_view rest) {
  return fmt::format("{{\"digest\":\"{:016x}\",\n", digest_of(rest));
}

std::string hexadecimal(std::uint64_t number) { return fmt::format("{:016x}", number); }

std::uint64_t from_hexadecimal(Json const& text) {
  return std::stoull(text.get_ref<std::string const&>(), nullptr, 16);
}

/// Texts may hold any bytes (names of files, state of callbacks): one character per byte.
std::string to_latin1(std::string const& bytes) {
  std::string text;
  for (unsigned char const c : bytes)
    if (c < 0x80)
      text += static_cast<char>(c);
    else
      text += {static_cast<char>(0xC0 | (c >> 6)), static_cast<char>(0x80 | (c & 0x3F))};
  return text;
}

std::string from_latin1(std::string const& text) {
  std::string bytes;
  for (std::size_t i = 0; i < text.size(); ++i) {
    auto const c = static_cast<unsigned char>(text[i]);
    if (c < 0x80 || i + 1 == text.size())
      bytes += text[i];
    else
      bytes += static_cast<char>((c & 0x03) << 6 | (static_cast<unsigned char>(text[++i]) & 0x3F));
  }
  return bytes;
}

Json json_of(TrainingPosition const& position) {
  return {{"steps", position.steps},
          {"epochs", position.epochs},
          {"step_of_epoch", position.step_of_epoch},
          {"samples_of_epoch", position.samples_of_epoch},
          {"validation_pending", position.validation_pending},
          {"seconds", position.seconds}};
}

TrainingPosition position_of(Json const& json) {
  return {json.at("steps"),
          json.at("epochs"),
          json.at("step_of_epoch"),
          json.at("samples_of_epoch"),
          json.at("validation_pending"),
          json.at("seconds")};
}

Json json_of(Manifest const& manifest) {
  auto digests = Json::array(), callbacks = Json::array();
  for (auto const digest : manifest.chunk_digests) digests.push_back(hexadecimal(digest));
  for (auto const& callback : manifest.callbacks) {
    auto states = Json::array();
    for (auto const& state : callback.ranks) states.push_back(to_latin1(state));
    callbacks.push_back({{"callback", to_latin1(callback.callback)}, {"states", states}});
  }
  auto rates = Json::object();
  for (auto const& [name, rate] : manifest.initial_learning_rates) rates[to_latin1(name)] = rate;
  return {{"format", manifest_format},
          {"experiment", to_latin1(manifest.experiment)},
          {"written", manifest.written},
          {"ranks", manifest.ranks},
          {"position", json_of(manifest.position)},
          {"initial_learning_rates", rates},
          {"state",
           {{"header_bytes", manifest.header_bytes},
            {"header_digest", hexadecimal(manifest.header_digest)},
            {"array_bytes", manifest.array_bytes},
            {"chunk_digests", digests}}},
          {"plan", {{"bytes", manifest.plan_bytes}, {"digest", hexadecimal(manifest.plan_digest)}}},
          {"callbacks", callbacks}};
}

Manifest manifest_of(Json const& json) {
  Manifest manifest;
  manifest.experiment = from_latin1(json.at("experiment"));
  manifest.written = json.at("written");
  manifest.ranks = json.at("ranks");
  manifest.position = position_of(json.at("position"));
  for (auto const& [name, rate] : json.at("initial_learning_rates").items())
    manifest.initial_learning_rates[from_latin1(name)] = rate;
  auto const& state = json.at("state");
  manifest.header_bytes = state.at("header_bytes");
  manifest.header_digest = from_hexadecimal(state.at("header_digest"));
  manifest.array_bytes = state.at("array_bytes");
  for (auto const& digest : state.at("chunk_digests"))
    manifest.chunk_digests.push_back(from_hexadecimal(digest));
  manifest.plan_bytes = json.at("plan").at("bytes");
  manifest.plan_digest = from_hexadecimal(json.at("plan").at("digest"));
  for (auto const& callback : json.at("callbacks")) {
    CallbackState state{from_latin1(callback.at("callback")), {}};
    for (auto const& text : callback.at("states")) state.ranks.push_back(from_latin1(text));
    manifest.callbacks.push_back(std::move(state));
  }
  return manifest;
}

}  // namespace

std::string to_text(Manifest const& manifest) {
  // Without the opening brace, which the first line has.
  auto const rest = json_of(manifest).dump(1).substr(1) + '\n';
  return first_line(rest) + rest;
}

Result<Manifest> parse_manifest(std::string_view text) {
  auto const line = text.find('\n');
  if (line == text.npos) return Problem{std::string(damaged)};
  if (text.substr(0, line + 1) != first_line(text.substr(line + 1)))
    return Problem{std::string(damaged)};
  try {
    auto const json = Json::parse(text);
    if (json.at("format") != manifest_format)
      return Problem{"manifest.json is of format " + json.at("format").dump() +
                     ", this version reads " + std::to_string(manifest_format)};
    return manifest_of(json);
  } catch (std::exception const& error) {
    return Problem{std::string("manifest.json is not one this version reads: ") + error.what()};
  }
}

}  // namespace lbann::runtime
