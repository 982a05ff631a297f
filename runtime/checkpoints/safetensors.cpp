// Reads and composes headers of safetensors files; every number is checked before use.
#include "runtime/checkpoints/safetensors.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <tuple>
#include <utility>

#include "schemas/data_formats/utf8.hpp"
#include "schemas/vocabulary/shape.hpp"

namespace lbann::runtime {

namespace {

using Json = nlohmann::json;

constexpr std::string_view metadata_name = "__metadata__";

constexpr std::array<std::pair<std::string_view, DataType>, 5> safetensors_types = {
    {{"F64", DataType::f64},
     {"F32", DataType::f32},
     {"I64", DataType::i64},
     {"I32", DataType::i32},
     {"U8", DataType::u8}}};

std::optional<DataType> type_of_dtype(std::string_view dtype) {
  for (auto const& [name, type] : safetensors_types)
    if (name == dtype) return type;
  return std::nullopt;
}

std::string_view dtype_of(DataType type) {
  for (auto const& [name, known] : safetensors_types)
    if (known == type) return name;
  return {};
}

Problem damaged_header(std::string const& what) { return {"its header is damaged: " + what}; }

/// Names come from the file: control characters are escaped, so that they stay on one line.
std::string quoted_name(std::string const& name) {
  auto const text = Json(name).dump(-1, ' ', false, Json::error_handler_t::replace);
  return '`' + text.substr(1, text.size() - 2) + '`';
}

/// The text as JSON; a key twice in one object is a problem, which the library itself accepts.
Result<Json> parse_unique(std::string_view text) {
  std::vector<std::set<std::string>> keys;
  std::optional<std::string> repeated;
  bool too_deep = false;
  auto const look = [&](int depth, Json::parse_event_t event, Json& value) {
    using Event = Json::parse_event_t;
    // Below the tensors' own keys there are lists of numbers, nothing deeper.
    if (depth > 3) too_deep = true;
    if (event == Event::object_start) keys.emplace_back();
    if (event == Event::object_end) keys.pop_back();
    if (event == Event::key && !keys.back().insert(value.get<std::string>()).second)
      repeated = value.get<std::string>();
    return !too_deep;
  };
  auto parsed = Json::parse(text.begin(), text.end(), look, false);
  if (too_deep) return damaged_header("it is nested too deeply");
  if (parsed.is_discarded()) return damaged_header("it is no JSON text");
  if (repeated) return damaged_header(quoted_name(*repeated) + " is twice there");
  if (!parsed.is_object()) return damaged_header("it is no JSON object");
  return parsed;
}

/// A list of whole numbers from 0.
std::optional<std::vector<std::int64_t>> sizes_of(Json const& list) {
  if (!list.is_array()) return std::nullopt;
  std::vector<std::int64_t> sizes;
  constexpr auto most = static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max());
  for (auto const& size : list) {
    if (!size.is_number_unsigned() || size.get<std::uint64_t>() > most) return std::nullopt;
    sizes.push_back(size.get<std::int64_t>());
  }
  return sizes;
}

/// Bytes of a tensor; nothing if they cannot be counted.
std::optional<std::int64_t> bytes_of_tensor(DataType type, std::vector<std::int64_t> dims) {
  dims.push_back(static_cast<std::int64_t>(bytes_of(type)));
  return checked_product(dims);
}

Result<SafetensorsEntry> parse_entry(std::string const& name, Json const& json) {
  auto const tensor = "tensor " + quoted_name(name);
  if (!json.is_object() || json.size() != 3 || !json.contains("dtype") || !json.contains("shape") ||
      !json.contains("data_offsets"))
    return damaged_header(tensor + " has not exactly `dtype`, `shape` and `data_offsets`");
  if (!json["dtype"].is_string()) return damaged_header("`dtype` of " + tensor + " is no text");
  auto const type = type_of_dtype(json["dtype"].get_ref<std::string const&>());
  if (!type)
    return Problem{tensor + " is of type " + quoted_name(json["dtype"].get<std::string>()) +
                   "; F64, F32, I64, I32 and U8 are read"};
  auto dims = sizes_of(json["shape"]);
  if (!dims) return damaged_header("`shape` of " + tensor + " is no list of sizes");
  auto const offsets = sizes_of(json["data_offsets"]);
  if (!offsets || offsets->size() != 2 || (*offsets)[0] > (*offsets)[1])
    return damaged_header("`data_offsets` of " + tensor + " are not begin and end");
  auto const [begin, end] = std::pair((*offsets)[0], (*offsets)[1]);
  if (bytes_of_tensor(*type, *dims) != end - begin)
    return damaged_header(tensor + " of " + to_text(Shape(*dims)) + ' ' +
                          std::string(dtype_of(*type)) + " has " + std::to_string(end - begin) +
                          " bytes of data");
  return SafetensorsEntry{name, *type, std::move(*dims), begin, end};
}

bool is_metadata(Json const& json) {
  return json.is_object() &&
         std::ranges::all_of(json, [](Json const& value) { return value.is_string(); });
}

/// Whether data follow each other from 0; the end of the last, or a problem.
Result<std::int64_t> covered(std::span<SafetensorsEntry const> entries) {
  std::int64_t at = 0;
  for (auto const& entry : entries) {
    if (entry.begin != at)
      return damaged_header("data of tensor " + quoted_name(entry.name) + " begin at " +
                            std::to_string(entry.begin) + ", not at " + std::to_string(at));
    at = entry.end;
  }
  return at;
}

bool is_utf8(std::string_view text) {
  while (!text.empty()) {
    auto const bytes = first_character(text).bytes;
    if (bytes == 0) return false;
    text.remove_prefix(bytes);
  }
  return true;
}

}  // namespace

Result<std::int64_t> safetensors_header_bytes(std::span<std::uint8_t const> prefix,
                                              std::int64_t file_bytes) {
  if (prefix.size() < static_cast<std::size_t>(safetensors_prefix))
    return Problem{"it ends within the length of its header"};
  std::uint64_t length = 0;
  for (auto i = safetensors_prefix; i-- > 0;)
    length = length << 8 | prefix[static_cast<std::size_t>(i)];
  if (length > static_cast<std::uint64_t>(longest_safetensors_header))
    return Problem{"its header has " + std::to_string(length) +
                   " bytes, more than are read; is it a safetensors file?"};
  auto const bytes = static_cast<std::int64_t>(length);
  if (bytes > file_bytes - safetensors_prefix) return Problem{"it ends within its header"};
  return bytes;
}

Result<std::vector<SafetensorsEntry>> parse_safetensors_header(std::string_view json,
                                                               std::int64_t data_bytes) {
  auto const parsed = parse_unique(json);
  if (!parsed) return parsed.problem();
  std::vector<SafetensorsEntry> entries;
  for (auto const& [name, value] : parsed.value().items()) {
    if (name == metadata_name) {
      if (!is_metadata(value)) return damaged_header("`__metadata__` is no mapping of texts");
      continue;
    }
    auto entry = parse_entry(name, value);
    if (!entry) return entry.problem();
    entries.push_back(std::move(entry).value());
  }
  std::ranges::sort(entries, {}, [](SafetensorsEntry const& entry) {
    return std::tuple(entry.begin, entry.end, std::string_view(entry.name));
  });
  auto const end = covered(entries);
  if (!end) return end.problem();
  if (end.value() != data_bytes)
    return Problem{"its header promises " + std::to_string(end.value()) +
                   " bytes of data, it has " + std::to_string(data_bytes) +
                   "; is the file complete?"};
  return entries;
}

Result<std::string> compose_safetensors_header(std::span<SafetensorsEntry const> entries) {
  nlohmann::ordered_json header = nlohmann::ordered_json::object();
  std::set<std::string_view> names;
  for (auto const& entry : entries) {
    auto const tensor = "tensor " + quoted_name(entry.name);
    if (entry.name == metadata_name || !is_utf8(entry.name) || !names.insert(entry.name).second)
      return Problem{tensor + " cannot be in a safetensors file under this name"};
    auto const dtype = dtype_of(entry.type);
    if (dtype.empty())
      return Problem{tensor + " is of type " + std::string(name_of(entry.type)) +
                     "; f64, f32, i64, i32 and u8 are written"};
    if (bytes_of_tensor(entry.type, entry.dims) != entry.end - entry.begin)
      return Problem{tensor + ": bytes of data differ from those of its dims"};
  }
  if (auto const end = covered(entries); !end) return end.problem();
  for (auto const& entry : entries) {
    nlohmann::ordered_json described;
    described["dtype"] = dtype_of(entry.type);
    described["shape"] = entry.dims;
    described["data_offsets"] = {entry.begin, entry.end};
    header.push_back({entry.name, std::move(described)});
  }
  auto text = header.dump();
  constexpr std::size_t alignment = 64;
  auto const unpadded = static_cast<std::size_t>(safetensors_prefix) + text.size();
  text.append((alignment - unpadded % alignment) % alignment, ' ');
  if (static_cast<std::int64_t>(text.size()) > longest_safetensors_header)
    return Problem{"a header of " + std::to_string(text.size()) + " bytes is too long to be read"};
  std::string bytes;
  for (std::size_t i = 0; i < static_cast<std::size_t>(safetensors_prefix); ++i)
    bytes += static_cast<char>(text.size() >> (8 * i) & 0xff);
  return bytes + text;
}

}  // namespace lbann::runtime
