// A data file read at any place, by several threads at once.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "schemas/samples/byte_stream.hpp"

namespace lbann {

/// Plain files up to this many bytes are brought to memory by `DataFile::load`; larger ones are
/// read as their bytes are asked for.
inline constexpr std::int64_t largest_file_in_memory = std::int64_t{64} << 20;
/// The limit for formats that need all bytes in memory.
inline constexpr std::int64_t any_size = std::int64_t{1} << 62;

/// A problem if the machine has not so many bytes of memory.
Result<Success> check_memory(std::int64_t bytes);

/// A file or a part of one, plain or packed. Cheap to copy. Opening reads next to nothing; what is
/// packed can be read from the front before it is loaded, and at any place afterwards.
class DataFile {
 public:
  /// Opens a regular file, plain or gzip. Problems of this and of all below name the file.
  static Result<DataFile> open(std::string const& path);

  /// Bytes as they lie in the file; once it is loaded, unpacked.
  std::int64_t size() const { return size_; }
  std::string const& name() const { return name_; }
  Problem problem(std::string const& what) const { return {"`" + name_ + "`: " + what}; }

  /// The first `count` bytes, unpacked, or all if there are fewer.
  Result<std::vector<std::uint8_t>> first(std::int64_t count) const;
  /// Calls `visit` with all bytes, unpacked, piece by piece, until it gives false. Keeps none, so
  /// that a small file that unpacks to very much takes time, but no memory.
  Result<Success> each_piece(std::function<bool(std::string_view piece)> const& visit) const;

  /// All bytes, unpacked.
  Result<std::string> text() const;

  /// Bytes unpacked. What is packed is read through for that.
  Result<std::int64_t> unpacked_size() const;

  /// Makes the bytes, which are `size` unpacked, readable at any place: brings them to memory where
  /// they are packed or at most `in_memory`. Any other size is a problem, found without unpacking
  /// more than that; so is one that is more than the machine's memory.
  Result<Success> load(std::int64_t size, std::int64_t in_memory = largest_file_in_memory);
  /// Whether bytes are in memory, so that looking at all of them costs little.
  bool in_memory() const { return bytes_ != nullptr; }

  /// Bytes `begin` to `begin + count`. Where they are not in memory they are copied to `buffer`,
  /// which has room for them. A file that ends before is a problem. Allocates nothing.
  Result<std::uint8_t const*> read(std::int64_t begin, std::int64_t count,
                                   std::uint8_t* buffer) const;
  /// The same, copied to `to`.
  Result<Success> copy(std::int64_t begin, std::int64_t count, std::uint8_t* to) const;
  /// The same in memory of their own.
  Result<std::vector<std::uint8_t>> bytes(std::int64_t begin, std::int64_t count) const;

  /// This file as problems shall name it.
  DataFile named(std::string name) const {
    auto file = *this;
    file.name_ = std::move(name);
    return file;
  }
  /// A part of this plain file under another name; it must lie within.
  DataFile part(std::string name, Packing packing, std::int64_t begin, std::int64_t count) const;
  /// A problem if the bytes have another CRC-32. Reads them all.
  Result<Success> check(std::uint32_t check) const;

 private:
  DataFile(std::string name, std::shared_ptr<RegularFile const> file, Packing packing,
           std::int64_t begin, std::int64_t size)
      : name_(std::move(name)),
        file_(std::move(file)),
        packing_(packing),
        begin_(begin),
        size_(size) {}

  std::string name_;
  std::shared_ptr<RegularFile const> file_;
  std::shared_ptr<std::vector<std::uint8_t> const> bytes_;  ///< all, where they are in memory
  Packing packing_;
  std::int64_t begin_, size_;
};

}  // namespace lbann
