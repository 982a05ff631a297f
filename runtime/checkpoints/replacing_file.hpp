// A file that replaces another, whole or not at all.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string_view>

#include "schemas/vocabulary/result.hpp"

namespace lbann::runtime {

/// A new file beside `target`, called `.<target>.saving-...`. The destructor removes it unless it
/// has replaced `target`. Of a `target` that is a link, what it points to is replaced. Problems
/// name the file.
class ReplacingFile {
 public:
  static Result<ReplacingFile> create(std::filesystem::path const& target);
  ReplacingFile(ReplacingFile&& other) noexcept;
  ReplacingFile& operator=(ReplacingFile&& other) = delete;
  ~ReplacingFile();

  /// Appends bytes.
  Result<Success> write(std::span<std::byte const> bytes);
  Result<Success> write(std::string_view bytes);
  /// Writes bytes at `offset` from the begin, in place of what is there, or behind the end.
  Result<Success> write_at(std::int64_t offset, std::span<std::byte const> bytes);
  /// Where its bytes are until it has replaced `target`, for a library that writes by path.
  std::filesystem::path const& path() const { return path_; }
  /// Writes what is written to the disk, then puts it in the place of `target`.
  Result<Success> replace_target();

 private:
  ReplacingFile(std::filesystem::path target, std::filesystem::path path, int file)
      : target_(std::move(target)), path_(std::move(path)), file_(file) {}

  std::filesystem::path target_, path_;
  int file_;
};

}  // namespace lbann::runtime
