// Copies of files on storage that is nearer, as readers of many files see them.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

namespace lbann {

class FileStaging {
 public:
  virtual ~FileStaging() = default;
  /// Announces `count` files, `path(0)` to `path(count - 1)`, which must be callable as long as
  /// files are copied; gives the number of the first.
  virtual std::int64_t add(std::int64_t count, std::function<std::string(std::int64_t)> path) = 0;
  /// Where to read file `number` from: a copy or `path`, where it is. From several threads.
  virtual std::string place(std::int64_t number, std::string const& path) = 0;
};

}  // namespace lbann
