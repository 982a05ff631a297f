// A data file read from front to back, plain or gzip.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "schemas/vocabulary/result.hpp"

namespace lbann::runtime {

class InputFile {
 public:
  static Result<InputFile> open(std::string path);

  /// The next `count` bytes; the problem names the file. Memory grows only as bytes arrive, so that
  /// a header cannot lie its way to all memory.
  Result<std::vector<std::uint8_t>> read(std::int64_t count);
  /// Appends all that follows to `bytes`, but not more than `most` bytes.
  Result<Success> append_rest(std::vector<std::uint8_t>& bytes, std::int64_t most);
  /// Whether nothing follows.
  Result<bool> at_end();
  std::string const& path() const { return path_; }
  Problem problem(std::string const& what) const { return {"`" + path_ + "`: " + what}; }

 private:
  struct Close {
    void operator()(void* file) const;
  };
  InputFile(std::string path, void* file) : path_(std::move(path)), file_(file) {}

  std::string path_;
  std::unique_ptr<void, Close> file_;
};

}  // namespace lbann::runtime
