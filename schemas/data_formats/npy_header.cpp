// A magic number, a version, and a Python dictionary of three entries.
#include "schemas/data_formats/npy_header.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <limits>
#include <optional>
#include <string_view>
#include <utility>

#include "schemas/vocabulary/shape.hpp"

namespace lbann {

namespace {

constexpr std::array<std::string_view, 10> npy_letters = {"f4", "f8", "i1", "i2", "i4",
                                                          "i8", "u1", "u2", "u4", "u8"};

constexpr std::array<std::uint8_t, 6> npy_magic = {0x93, 'N', 'U', 'M', 'P', 'Y'};

constexpr std::array<std::pair<NpyNumber, DataType>, 5> tensor_numbers = {
    {{NpyNumber::f4, DataType::f32},
     {NpyNumber::f8, DataType::f64},
     {NpyNumber::i4, DataType::i32},
     {NpyNumber::i8, DataType::i64},
     {NpyNumber::u1, DataType::u8}}};

/// What stands behind `'key':` in the header, without leading spaces.
std::optional<std::string_view> npy_entry(std::string_view header, std::string_view key) {
  auto const at = header.find("'" + std::string(key) + "'");
  if (at == header.npos) return std::nullopt;
  auto rest = header.substr(at + key.size() + 2);
  auto const value = rest.find_first_not_of(" :");
  if (value == rest.npos) return std::nullopt;
  return rest.substr(value);
}

std::optional<NpyNumber> parse_npy_number(std::string_view descr) {
  if (descr.size() < 5 || descr[0] != '\'' || descr[4] != '\'') return std::nullopt;
  for (std::size_t i = 0; i < npy_letters.size(); ++i)
    if (descr.substr(2, 2) == npy_letters[i] &&
        (descr[1] == '<' || (descr[1] == '|' && descr[3] == '1')))
      return static_cast<NpyNumber>(i);
  return std::nullopt;
}

std::optional<std::vector<std::int64_t>> parse_npy_dims(std::string_view text) {
  if (text.empty() || text.front() != '(') return std::nullopt;
  auto const end = text.find(')');
  if (end == text.npos) return std::nullopt;
  text = text.substr(1, end - 1);
  std::vector<std::int64_t> dims;
  while (true) {
    auto const begin = text.find_first_not_of(" ,");
    if (begin == text.npos) return dims;
    text = text.substr(begin);
    std::int64_t size = 0;
    auto const [next, error] = std::from_chars(text.data(), text.data() + text.size(), size);
    if (error != std::errc{} || size < 0) return std::nullopt;
    dims.push_back(size);
    text = text.substr(static_cast<std::size_t>(next - text.data()));
  }
}

}  // namespace

std::int64_t bytes_of(NpyNumber number) {
  return npy_letters[static_cast<std::size_t>(number)][1] - '0';
}

std::string_view name_of(NpyNumber number) { return npy_letters[static_cast<std::size_t>(number)]; }

std::optional<DataType> tensor_type(NpyNumber number) {
  for (auto const& [npy, type] : tensor_numbers)
    if (npy == number) return type;
  return std::nullopt;
}

std::optional<NpyNumber> npy_number(DataType type) {
  for (auto const& [npy, tensor] : tensor_numbers)
    if (tensor == type) return npy;
  return std::nullopt;
}

Result<NpyHeader> parse_npy_header(std::span<std::uint8_t const> bytes) {
  if (bytes.size() < 8 || !std::equal(npy_magic.begin(), npy_magic.end(), bytes.begin()))
    return Problem{"it does not begin like a .npy file"};
  auto const version = bytes[6];
  if (version < 1 || version > 3)
    return Problem{"it has version " + std::to_string(version) +
                   " of the .npy format, 1 to 3 are read"};
  std::size_t const start = version == 1 ? 10 : 12;
  if (bytes.size() < start) return Problem{"it ends within its header"};
  std::size_t length = 0;
  for (auto at = start; at-- > 8;) length = length << 8 | bytes[at];
  if (length > static_cast<std::size_t>(longest_npy_header) - start)
    return Problem{"its header has " + std::to_string(length) + " bytes, more than are read"};
  if (bytes.size() - start < length) return Problem{"it ends within its header"};
  std::string_view const header(reinterpret_cast<char const*>(bytes.data()) + start, length);
  auto const descr = npy_entry(header, "descr"), fortran = npy_entry(header, "fortran_order"),
             shape = npy_entry(header, "shape");
  if (!descr || !fortran || !shape) return Problem{"its header is damaged"};
  auto const number = parse_npy_number(*descr);
  if (!number)
    return Problem{"its numbers are of type " + std::string(descr->substr(0, descr->find(','))) +
                   "; little-endian f4, f8 and integers are read"};
  auto dims = parse_npy_dims(*shape);
  if (!dims) return Problem{"its shape is damaged"};
  if (!fortran->starts_with("False") && dims->size() > 1)  // a single axis has one order only
    return Problem{"it is in Fortran order; save it in C order, `numpy.ascontiguousarray(array)`"};
  auto factors = *dims;
  factors.push_back(bytes_of(*number));
  auto const total = checked_product(factors);
  // Where the file ends can be counted as well.
  if (!total || *total > std::numeric_limits<std::int64_t>::max() - longest_npy_header)
    return Problem{"its shape is impossible"};
  return NpyHeader{std::move(*dims), *number, static_cast<std::int64_t>(start + length),
                   *total / factors.back()};
}

std::string npy_header(NpyNumber number, std::span<std::int64_t const> dims) {
  std::string shape;
  for (auto size : dims) shape += (shape.empty() ? "" : ", ") + std::to_string(size);
  if (dims.size() == 1) shape += ",";
  std::string header = "{'descr': '" + std::string(bytes_of(number) == 1 ? "|" : "<") +
                       std::string(name_of(number)) + "', 'fortran_order': False, 'shape': (" +
                       shape + "), }";
  constexpr std::size_t before = npy_magic.size() + 4;
  header.append(63 - (before + header.size()) % 64, ' ');
  header += '\n';
  std::string bytes(npy_magic.begin(), npy_magic.end());
  for (auto const byte : {std::size_t{1}, std::size_t{0}, header.size() & 0xff, header.size() >> 8})
    bytes += static_cast<char>(byte);
  return bytes + header;
}

}  // namespace lbann
