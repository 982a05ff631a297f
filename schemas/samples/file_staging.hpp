// Copies of files on storage that is nearer, as readers of many files see them.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <utility>

#include "schemas/samples/data_file.hpp"

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

/// The files of a reader, which are opened from copies where a run makes some.
class StagedOpening {
 public:
  /// `staging`: null where no copies are made.
  explicit StagedOpening(FileStaging* staging) : staging_(staging) {}

  bool makes_copies() const { return staging_ != nullptr; }
  /// Announces them, as `FileStaging::add`.
  void add(std::int64_t count, std::function<std::string(std::int64_t)> path) {
    if (staging_ != nullptr) first_ = staging_->add(count, std::move(path));
  }
  /// What `open(place)`, a `Result`, gives for the copy of file `number`, else for `path` itself.
  template <class Open>
  auto open(std::int64_t number, std::string const& path, Open const& open) const {
    if (staging_ == nullptr) return open(path);
    auto const place = staging_->place(first_ + number, path);
    // A copy may vanish between the two calls.
    auto opened = open(place);
    return opened || place == path ? opened : open(path);
  }

  /// The same of a data file; problems call it `name`, whether it is a copy or not.
  Result<DataFile> open_file(std::int64_t number, std::string const& path, std::string name) const {
    auto opened = open(number, path, DataFile::open);
    return opened ? Result<DataFile>(opened.value().named(std::move(name))) : opened;
  }

 private:
  FileStaging* staging_;
  std::int64_t first_ = 0;
};

}  // namespace lbann
