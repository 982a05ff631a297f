// Reading through zlib, which hands plain files on as they are.
#include "runtime/data/input_file.hpp"

#include <zlib.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "schemas/files/regular_file.hpp"

namespace lbann::runtime {

namespace {

template <class File>
gzFile handle(File const& file) {
  return static_cast<gzFile>(file.get());
}

}  // namespace

void InputFile::Close::operator()(void* file) const { gzclose(static_cast<gzFile>(file)); }

Result<InputFile> InputFile::open(std::string path) {
  auto opened = RegularFile::open(path);
  if (!opened) return Problem{"`" + path + "`: " + opened.problem().message};
  auto* file = gzdopen(opened.value().descriptor(), "rb");
  if (file == nullptr) return Problem{"`" + path + "`: no memory to read it"};
  opened.value().release();  // zlib closes it
  gzbuffer(file, 1 << 17);
  return InputFile(std::move(path), file);
}

Result<std::vector<std::uint8_t>> InputFile::read(std::int64_t count) {
  constexpr std::int64_t piece = 1 << 22;
  std::vector<std::uint8_t> bytes;
  while (static_cast<std::int64_t>(bytes.size()) < count) {
    auto const begin = bytes.size();
    auto const wanted = std::min(piece, count - static_cast<std::int64_t>(begin));
    bytes.resize(begin + static_cast<std::size_t>(wanted));
    auto const got = gzread(handle(file_), bytes.data() + begin, static_cast<unsigned>(wanted));
    if (got == wanted) continue;
    int error = Z_OK;
    std::string const why = gzerror(handle(file_), &error);
    if (error == Z_ERRNO) return problem(std::strerror(errno));
    if (error != Z_OK && error != Z_BUF_ERROR) return problem("damaged gzip data: " + why);
    return problem("it ends after " + std::to_string(begin + static_cast<std::size_t>(got)) +
                   " of " + std::to_string(count) + " bytes expected here");
  }
  return bytes;
}

Result<Success> InputFile::append_rest(std::vector<std::uint8_t>& bytes, std::int64_t most) {
  constexpr std::int64_t piece = 1 << 22;
  while (most > 0) {
    auto const begin = bytes.size();
    auto const wanted = std::min(piece, most);
    bytes.resize(begin + static_cast<std::size_t>(wanted));
    auto const got = gzread(handle(file_), bytes.data() + begin, static_cast<unsigned>(wanted));
    int error = Z_OK;
    std::string const why = gzerror(handle(file_), &error);
    if (got < 0 || (error != Z_OK && error != Z_STREAM_END))
      return problem(error == Z_ERRNO ? std::strerror(errno) : "damaged gzip data: " + why);
    bytes.resize(begin + static_cast<std::size_t>(got));
    if (got < wanted) break;
    most -= got;
  }
  return Success{};
}

Result<bool> InputFile::at_end() {
  std::uint8_t byte = 0;
  auto const got = gzread(handle(file_), &byte, 1);
  if (got < 0) return problem("damaged gzip data");
  return got == 0;
}

}  // namespace lbann::runtime
