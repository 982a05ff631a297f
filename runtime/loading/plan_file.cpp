// Reading a plan: the bytes of a file, then `decode`, which believes nothing.
#include "runtime/loading/plan_file.hpp"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <memory>

namespace lbann::runtime {

namespace {

Result<std::vector<std::uint8_t>> read_bytes(std::filesystem::path const& path) {
  auto const failed = [&](char const* what) {
    return Problem{path.string() + ": " + what + ": " + std::strerror(errno)};
  };
  std::error_code error;
  if (std::filesystem::is_directory(path, error)) {
    return Problem{path.string() + ": is a folder; give the plan written by lbann-compile"};
  }
  std::unique_ptr<std::FILE, int (*)(std::FILE*)> const file(std::fopen(path.c_str(), "rb"),
                                                             &std::fclose);
  if (file == nullptr) return failed("cannot be opened");
  std::vector<std::uint8_t> bytes;
  if (auto const size = std::filesystem::file_size(path, error); !error && size > 0) {
    bytes.resize(size);
  } else {
    bytes.resize(1 << 16);  // a pipe
  }
  std::size_t used = 0;
  while (true) {
    used += std::fread(bytes.data() + used, 1, bytes.size() - used, file.get());
    if (std::ferror(file.get()) != 0) return failed("cannot be read");
    if (used < bytes.size()) break;
    int const next = std::fgetc(file.get());
    if (next == EOF) break;
    bytes.resize(2 * bytes.size());
    bytes[used++] = static_cast<std::uint8_t>(next);
  }
  bytes.resize(used);
  return bytes;
}

}  // namespace

Result<PlanFile> read_plan(std::filesystem::path const& path) {
  auto bytes = read_bytes(path);
  if (!bytes) return bytes.problem();
  auto plan = decode(bytes.value());
  if (!plan) return Problem{path.string() + ": " + plan.problem().message};
  return PlanFile{std::move(plan).value(), std::move(bytes).value()};
}

}  // namespace lbann::runtime
