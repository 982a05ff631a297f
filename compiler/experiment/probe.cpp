// IDX (http://yann.lecun.com/exdb/mnist) and NPY (NumPy enhancement proposal 1) headers.
#include "compiler/experiment/probe.hpp"

#include <zlib.h>

#include <charconv>
#include <memory>
#include <string_view>

#include "schemas/vocabulary/shape.hpp"

namespace lbann::compiler {

namespace {

constexpr std::size_t longest = 65536 + 12;  // bytes of the longest NPY header of version 1

/// The first bytes of a file, unpacked if it is gzip.
Result<std::string> first_bytes(std::string const& path, std::size_t count) {
  std::unique_ptr<gzFile_s, int (*)(gzFile)> const file(gzopen(path.c_str(), "rb"), gzclose);
  if (!file) return Problem{"it cannot be opened"};
  std::string bytes(count, '\0');
  auto const got = gzread(file.get(), bytes.data(), static_cast<unsigned>(count));
  if (got < 0) return Problem{"it cannot be read"};
  bytes.resize(static_cast<std::size_t>(got));
  return bytes;
}

std::uint32_t big_endian(std::string_view bytes, std::size_t at) {
  std::uint32_t value = 0;
  for (std::size_t i = 0; i < 4; ++i)
    value = value << 8 | static_cast<unsigned char>(bytes[at + i]);
  return value;
}

/// A sample must have entries, and their number must fit.
Result<FileHeader> checked(FileHeader header) {
  for (auto size : header.dims)
    if (size < 1) return Problem{"an axis of its samples is empty"};
  if (!checked_product(header.dims)) return Problem{"its samples are too large to count"};
  return header;
}

/// Text after `key` in the dictionary of an NPY header.
std::string_view after(std::string_view header, std::string_view key) {
  auto const at = header.find(key);
  if (at == std::string_view::npos) return {};
  auto rest = header.substr(at + key.size());
  auto const begin = rest.find_first_not_of(": ");
  return begin == std::string_view::npos ? std::string_view{} : rest.substr(begin);
}

}  // namespace

Result<FileHeader> probe_idx(std::string const& path) {
  auto const bytes = first_bytes(path, 4 + 4 * 255);
  if (!bytes.good()) return bytes.problem();
  auto const& text = bytes.value();
  if (text.size() < 4 || text[0] != 0 || text[1] != 0 || text[2] != 8)
    return Problem{"it does not begin like an IDX file of bytes"};
  auto const axes = static_cast<unsigned char>(text[3]);
  if (axes == 0 || text.size() < 4 + 4 * std::size_t{axes})
    return Problem{"its header ends too early"};
  FileHeader header;
  header.samples = big_endian(text, 4);
  for (std::size_t i = 1; i < axes; ++i) header.dims.push_back(big_endian(text, 4 + 4 * i));
  if (header.dims.size() == 2) header.dims.insert(header.dims.begin(), 1);
  return checked(std::move(header));
}

Result<FileHeader> probe_npy(std::string const& path) {
  auto const bytes = first_bytes(path, longest);
  if (!bytes.good()) return bytes.problem();
  std::string_view const text = bytes.value();
  if (!text.starts_with("\x93NUMPY") || text.size() < 10)
    return Problem{"it does not begin like a .npy file"};
  bool const old = text[6] == 1;
  std::size_t const start = old ? 10 : 12;
  if (text.size() < start) return Problem{"its header ends too early"};
  auto const byte = [&](std::size_t at) {
    return std::size_t{static_cast<unsigned char>(text[at])};
  };
  auto length = byte(8) | byte(9) << 8;
  if (!old) length |= byte(10) << 16 | byte(11) << 24;
  if (text.size() - start < length) return Problem{"its header ends too early"};
  auto const dictionary = text.substr(start, length);
  if (after(dictionary, "'fortran_order'").starts_with("True"))
    return Problem{"it is in Fortran order; save `numpy.ascontiguousarray(array)`"};
  auto shape = after(dictionary, "'shape'");
  if (!shape.starts_with("(")) return Problem{"its header names no shape"};
  shape = shape.substr(1, shape.find(')') - 1);
  FileHeader header;
  bool first = true;
  while (true) {
    auto const begin = shape.find_first_not_of(" ,");
    if (begin == std::string_view::npos) break;
    shape.remove_prefix(begin);
    std::int64_t size = 0;
    auto const [end, error] = std::from_chars(shape.data(), shape.data() + shape.size(), size);
    if (error != std::errc{} || size < 0) return Problem{"its header names no shape"};
    shape.remove_prefix(static_cast<std::size_t>(end - shape.data()));
    if (first)
      header.samples = size;
    else
      header.dims.push_back(size);
    first = false;
  }
  if (first) return Problem{"it holds a single number, not samples"};
  if (header.dims.empty()) header.dims = {1};
  return checked(std::move(header));
}

}  // namespace lbann::compiler
