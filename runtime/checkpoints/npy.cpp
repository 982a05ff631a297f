// Writes .npy files.
#include "runtime/checkpoints/npy.hpp"

#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <memory>

#include "schemas/vocabulary/shape.hpp"

namespace lbann::runtime {

namespace {

using File = std::unique_ptr<std::FILE, int (*)(std::FILE*)>;

Problem failed(std::filesystem::path const& path, std::string_view what) {
  return {path.string() + ": " + std::string(what) + ": " + std::strerror(errno)};
}

}  // namespace

std::string describe(DataType type, std::span<std::int64_t const> dims) {
  return std::string(name_of(type)) + ' ' + to_text(Shape(dims));
}

std::string describe(NpyHeader const& head) {
  if (auto const type = tensor_type(head.number)) return describe(*type, head.dims);
  return std::string(name_of(head.number)) + ' ' + to_text(Shape(head.dims));
}

Result<std::string> npy_head(DataType type, std::span<std::int64_t const> dims) {
  auto const number = npy_number(type);
  if (!number) return Problem{"NumPy has no type " + std::string(name_of(type))};
  return npy_header(*number, dims);
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

}  // namespace lbann::runtime
