// Reads .npy files; format: https://numpy.org/doc/stable/reference/generated/numpy.lib.format.html
#include "runtime/data/npy_file.hpp"

#include <array>
#include <charconv>
#include <optional>
#include <string_view>

#include "runtime/data/input_file.hpp"
#include "schemas/vocabulary/shape.hpp"

namespace lbann::runtime {

namespace {

/// What stands behind `'key':` in the header, without leading spaces.
std::optional<std::string_view> entry(std::string_view header, std::string_view key) {
  auto const at = header.find("'" + std::string(key) + "'");
  if (at == header.npos) return std::nullopt;
  auto rest = header.substr(at + key.size() + 2);
  auto const value = rest.find_first_not_of(" :");
  if (value == rest.npos) return std::nullopt;
  return rest.substr(value);
}

std::optional<NpyFile::Number> parse_number(std::string_view descr) {
  constexpr std::array<std::string_view, 10> letters = {"f4", "f8", "i1", "i2", "i4",
                                                        "i8", "u1", "u2", "u4", "u8"};
  if (descr.size() < 5 || descr[0] != '\'' || descr[4] != '\'') return std::nullopt;
  for (std::size_t i = 0; i < letters.size(); ++i)
    if (descr.substr(2, 2) == letters[i] &&
        (descr[1] == '<' || (descr[1] == '|' && descr[3] == '1')))
      return static_cast<NpyFile::Number>(i);
  return std::nullopt;
}

std::optional<std::vector<std::int64_t>> parse_dims(std::string_view text) {
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

Result<NpyFile> read_npy_file(std::string const& path) {
  auto opened = InputFile::open(path);
  if (!opened) return opened.problem();
  auto& file = opened.value();
  auto const start = file.read(8);
  if (!start) return start.problem();
  constexpr std::array<std::uint8_t, 6> magic = {0x93, 'N', 'U', 'M', 'P', 'Y'};
  if (!std::equal(magic.begin(), magic.end(), start.value().begin()))
    return file.problem("this is not a .npy file");
  auto const version = start.value()[6];
  if (version < 1 || version > 3)
    return file.problem("it has version " + std::to_string(version) +
                        " of the .npy format, 1 to 3 are read");
  auto const size_bytes = file.read(version == 1 ? 2 : 4);
  if (!size_bytes) return size_bytes.problem();
  std::int64_t size = 0;
  for (auto i = size_bytes.value().size(); i-- > 0;) size = size << 8 | size_bytes.value()[i];
  auto const header_bytes = file.read(size);
  if (!header_bytes) return header_bytes.problem();
  std::string const header(header_bytes.value().begin(), header_bytes.value().end());

  NpyFile array;
  auto const descr = entry(header, "descr"), fortran = entry(header, "fortran_order"),
             shape = entry(header, "shape");
  if (!descr || !fortran || !shape) return file.problem("its header is damaged");
  auto const number = parse_number(*descr);
  if (!number)
    return file.problem("its numbers are of type " +
                        std::string(descr->substr(0, descr->find(','))) +
                        "; little-endian f4, f8 and integers are read");
  if (!fortran->starts_with("False"))
    return file.problem("it is in Fortran order; save it in C order (numpy.ascontiguousarray)");
  auto dims = parse_dims(*shape);
  if (!dims) return file.problem("its shape is damaged");
  array.number = *number;
  array.dims = std::move(*dims);
  auto factors = array.dims;
  factors.push_back(bytes_of(array.number));
  auto const total = checked_product(factors);
  if (!total) return file.problem("its shape is impossible");
  auto bytes = file.read(*total);
  if (!bytes) return bytes.problem();
  array.bytes = std::move(bytes.value());
  auto const end = file.at_end();
  if (!end) return end.problem();
  if (!end.value()) return file.problem("it is longer than its header says");
  return array;
}

}  // namespace lbann::runtime
