// Formats of dumped values; zip as in PKWARE's APPNOTE 4.3.
#include "runtime/callbacks/value_files.hpp"

#include <fmt/format.h>
#include <zlib.h>

#include <cerrno>
#include <cstring>

#include "runtime/checkpoints/npy.hpp"
#include "schemas/processes/own_file.hpp"

namespace lbann::runtime {

namespace {

void append_number(std::string& to, std::uint64_t number, int bytes) {
  for (int i = 0; i < bytes; ++i) to += static_cast<char>(number >> (8 * i) & 0xff);
}

}  // namespace

std::string text_of(GatheredValue const& value, char separator) {
  std::string text;
  auto const columns = value.columns();
  for (std::int64_t row = 0; row < value.rows(); ++row) {
    for (std::int64_t column = 0; column < columns; ++column) {
      if (column > 0) text += separator;
      auto const number = value.at(row * columns + column);
      if (value.type == DataType::f64)
        fmt::format_to(std::back_inserter(text), "{}", number);
      else
        fmt::format_to(std::back_inserter(text), "{}", static_cast<float>(number));
    }
    text += '\n';
  }
  return text;
}

std::string matrix_text(GatheredValue value) {
  if (value.dims.size() != 2) value.dims = {value.rows() * value.columns(), 1};
  return text_of(value, ' ');
}

Result<std::string> npy_of(GatheredValue const& value) {
  auto head = npy_head(value.type, value.dims);
  if (!head) return head.problem();
  head.value().append(reinterpret_cast<char const*>(value.data.data()), value.data.size());
  return head;
}

void Npz::add(std::string const& name, std::string const& npy) {
  auto const file = name + ".npy";
  auto const offset = entries_.size();
  auto const sum = crc32(0, reinterpret_cast<unsigned char const*>(npy.data()),
                         static_cast<unsigned>(npy.size()));
  // Common part of both headers of a file: version 2.0, no flags, stored, 1 January 1980, sizes,
  // name.
  std::string common;
  append_number(common, 20, 2);
  append_number(common, 0, 2);
  append_number(common, 0, 2);
  append_number(common, 0, 2);
  append_number(common, 1 << 5 | 1, 2);
  append_number(common, sum, 4);
  append_number(common, npy.size(), 4);
  append_number(common, npy.size(), 4);
  append_number(common, file.size(), 2);
  append_number(common, 0, 2);
  entries_ += "PK\x03\x04" + common + file + npy;
  directory_ += "PK\x01\x02";
  append_number(directory_, 20, 2);
  directory_ += common;
  append_number(directory_, 0, 2);  // comment
  append_number(directory_, 0, 2);  // disk
  append_number(directory_, 0, 2);  // attributes
  append_number(directory_, 0, 4);
  append_number(directory_, offset, 4);
  directory_ += file;
  ++count_;
}

std::string Npz::finish() const {
  auto file = entries_ + directory_ + "PK\x05\x06";
  append_number(file, 0, 4);
  append_number(file, count_, 2);
  append_number(file, count_, 2);
  append_number(file, directory_.size(), 4);
  append_number(file, entries_.size(), 4);
  append_number(file, 0, 2);
  return file;
}

Result<Success> write_file(std::filesystem::path const& path, std::string const& content) {
  std::error_code error;
  if (path.has_parent_path()) std::filesystem::create_directories(path.parent_path(), error);
  if (error) return Problem{path.string() + ": its folder cannot be made: " + error.message()};
  // O_NONBLOCK: a pipe without a reader is refused instead of blocking.
  OwnFile const file(
      ::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NONBLOCK | O_NOCTTY, 0666));
  auto const refused = [&](char const* what) {
    return Problem{path.string() + ": " + what + ": " + std::strerror(errno)};
  };
  if (!file.open()) return refused("cannot be created");
  for (std::string_view rest = content; !rest.empty();) {
    auto const put = ::write(file.get(), rest.data(), rest.size());
    if (put < 0 && errno == EINTR) continue;
    if (put < 0) return refused("cannot be written");
    rest.remove_prefix(static_cast<std::size_t>(put));
  }
  return Success{};
}

}  // namespace lbann::runtime
