// NumPy's format: numpy.org/doc/stable/reference/generated/numpy.lib.format.html.
#include "runtime/checkpoints/npy.hpp"

#include <unistd.h>

#include <array>
#include <cerrno>
#include <charconv>
#include <cstdio>
#include <cstring>
#include <memory>
#include <optional>

#include "schemas/files/regular_file.hpp"
#include "schemas/vocabulary/shape.hpp"

namespace lbann::runtime {

namespace {

using File = std::unique_ptr<std::FILE, int (*)(std::FILE*)>;

constexpr std::string_view magic("\x93NUMPY", 6);

struct TypeCode {
  DataType type;
  std::string_view code;
};
constexpr std::array<TypeCode, 5> type_codes = {{{DataType::f64, "<f8"},
                                                 {DataType::f32, "<f4"},
                                                 {DataType::i32, "<i4"},
                                                 {DataType::i64, "<i8"},
                                                 {DataType::u8, "|u1"}}};

Problem failed(std::filesystem::path const& path, std::string_view what) {
  return {path.string() + ": " + std::string(what) + ": " + std::strerror(errno)};
}

Problem of(std::filesystem::path const& path, Problem const& problem) {
  return {path.string() + ": " + problem.message};
}

Problem malformed(std::filesystem::path const& path, std::string_view what) {
  return {path.string() + ": not a .npy file this program reads: " + std::string(what)};
}

/// What follows `'key':` in the dictionary of a head.
std::optional<std::string_view> entry(std::string_view head, std::string_view key) {
  auto at = head.find("'" + std::string(key) + "'");
  if (at == std::string_view::npos) return std::nullopt;
  at = head.find(':', at);
  if (at == std::string_view::npos) return std::nullopt;
  at = head.find_first_not_of(' ', at + 1);
  if (at == std::string_view::npos) return std::nullopt;
  return head.substr(at);
}

std::optional<std::vector<std::int64_t>> parse_tuple(std::string_view text) {
  if (text.empty() || text.front() != '(') return std::nullopt;
  std::vector<std::int64_t> dims;
  auto const* at = text.data() + 1;
  auto const* const end = text.data() + text.size();
  auto const skip = [&] {
    while (at != end && (*at == ' ' || *at == ',')) ++at;
  };
  for (skip(); at != end && *at != ')'; skip()) {
    std::int64_t size = 0;
    auto const [next, error] = std::from_chars(at, end, size);
    if (error != std::errc{} || size < 0) return std::nullopt;
    dims.push_back(size);
    at = next;
  }
  if (at == end || !checked_product(dims)) return std::nullopt;
  return dims;
}

}  // namespace

std::string describe(DataType type, std::span<std::int64_t const> dims) {
  return std::string(name_of(type)) + ' ' + to_text(Shape(dims));
}

Result<std::string> npy_head(DataType type, std::span<std::int64_t const> dims) {
  std::string_view code;
  for (auto const& known : type_codes)
    if (known.type == type) code = known.code;
  if (code.empty()) return Problem{"NumPy has no type " + std::string(name_of(type))};
  std::string head = "{'descr': '" + std::string(code) + "', 'fortran_order': False, 'shape': (";
  for (auto size : dims) head += std::to_string(size) + ", ";
  if (dims.size() > 1) head.resize(head.size() - 2);
  if (dims.size() == 1) head.pop_back();
  head += "), }";
  std::size_t const before = magic.size() + 4;
  head.append(63 - (before + head.size()) % 64, ' ');
  head += '\n';
  std::array<char, 4> const version = {1, 0, static_cast<char>(head.size() & 0xff),
                                       static_cast<char>(head.size() >> 8)};
  return std::string(magic) + std::string(version.data(), version.size()) + head;
}

Result<Success> write_npy(std::filesystem::path const& path, DataType type,
                          std::span<std::int64_t const> dims, std::span<std::byte const> data) {
  auto const made = npy_head(type, dims);
  if (!made) return Problem{path.string() + ": " + made.problem().message};
  auto const& head = made.value();
  File file(std::fopen(path.c_str(), "wbx"), &std::fclose);
  if (file == nullptr) return failed(path, "cannot be created");
  bool const written =
      std::fwrite(head.data(), 1, head.size(), file.get()) == head.size() &&
      (data.empty() || std::fwrite(data.data(), 1, data.size(), file.get()) == data.size()) &&
      std::fflush(file.get()) == 0 && ::fsync(::fileno(file.get())) == 0;
  if (!written) return failed(path, "cannot be written");
  if (std::fclose(file.release()) != 0) return failed(path, "cannot be written");
  return Success{};
}

Result<NpyHead> read_npy_head(std::filesystem::path const& path) {
  auto const opened = RegularFile::open(path.string());
  if (!opened) return of(path, opened.problem());
  auto const& file = opened.value();
  std::array<unsigned char, 12> start{};
  auto const got = file.read(0, start.size(), start.data());
  if (!got) return of(path, got.problem());
  if (got.value() < 10 || std::memcmp(start.data(), magic.data(), magic.size()) != 0)
    return malformed(path, "it does not begin as one");
  if (start[6] < 1 || start[6] > 3) return malformed(path, "unknown version");
  bool const long_head = start[6] > 1;
  std::int64_t const before = long_head ? 12 : 10;
  std::size_t length = start[8] + (std::size_t{start[9]} << 8);
  if (long_head) length += (std::size_t{start[10]} << 16) + (std::size_t{start[11]} << 24);
  if (length > (1 << 20)) return malformed(path, "its head is too long");

  std::string text(length, ' ');
  auto const rest = file.read(before, static_cast<std::int64_t>(length), text.data());
  if (!rest) return of(path, rest.problem());
  if (rest.value() != static_cast<std::int64_t>(length))
    return malformed(path, "it ends within its head");

  NpyHead head;
  head.data_offset = before + static_cast<std::int64_t>(length);
  auto const descr = entry(text, "descr");
  auto const order = entry(text, "fortran_order");
  auto const shape = entry(text, "shape");
  if (!descr || !order || !shape) return malformed(path, "its head is incomplete");
  bool known = false;
  for (auto const& [type, code] : type_codes) {
    auto const quoted = descr->substr(0, code.size() + 2);
    if (quoted.size() != code.size() + 2 || quoted.substr(1, code.size()) != code) continue;
    head.type = type;
    known = true;
  }
  if (!known) {
    return malformed(path, "elements of type " + std::string(descr->substr(0, descr->find(','))));
  }
  head.fortran_order = order->starts_with("True");
  auto dims = parse_tuple(*shape);
  if (!dims) return malformed(path, "its shape is no shape");
  head.dims = std::move(*dims);
  return head;
}

Result<Success> read_npy_data(std::filesystem::path const& path, NpyHead const& head,
                              std::span<std::byte> data) {
  auto const file = RegularFile::open(path.string());
  if (!file) return of(path, file.problem());
  auto const count = static_cast<std::int64_t>(data.size());
  auto const got = file.value().read(head.data_offset, count, data.data());
  if (!got) return of(path, got.problem());
  if (got.value() != count) return Problem{path.string() + ": ends before its last element"};
  return Success{};
}

}  // namespace lbann::runtime
