// A data file read at any place, by several threads at once.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "schemas/vocabulary/result.hpp"

namespace lbann::runtime {

/// Plain files up to this many bytes are read whole when they are opened, larger ones as their
/// bytes are asked for.
inline constexpr std::int64_t largest_file_in_memory = std::int64_t{64} << 20;

/// Bytes that a format's header, which its first bytes hold, promises in all. What is packed is
/// unpacked no further: a small file may unpack to all memory there is.
struct PromisedSize {
  std::int64_t header = 0;  ///< bytes that hold the header, at most
  Result<std::int64_t> (*size)(std::span<std::uint8_t const> first) = nullptr;
};

/// Bytes of a file, of one unpacked from gzip, or of a part of either. Cheap to copy.
class DataFile {
 public:
  /// gzip files are unpacked to memory, up to one byte more than is promised, if anything is.
  static Result<DataFile> open(std::string const& path, PromisedSize const& promised = {},
                               std::int64_t in_memory = largest_file_in_memory);

  std::int64_t size() const { return size_; }
  std::string const& name() const { return name_; }
  Problem problem(std::string const& what) const { return {"`" + name_ + "`: " + what}; }

  /// Bytes `begin` to `begin + count`. Where they are not in memory they are copied to `buffer`,
  /// which has room for them. A file that ends before is a problem. Allocates nothing.
  Result<std::uint8_t const*> read(std::int64_t begin, std::int64_t count,
                                   std::uint8_t* buffer) const;
  /// The same, copied to `to`.
  Result<Success> copy(std::int64_t begin, std::int64_t count, std::uint8_t* to) const;
  /// The same in memory of their own.
  Result<std::vector<std::uint8_t>> bytes(std::int64_t begin, std::int64_t count) const;

  /// A part of this file under another name; it must lie within.
  DataFile part(std::string name, std::int64_t begin, std::int64_t count) const;
  /// The bytes that a part holds packed by deflate, `size` of them with this CRC-32, in memory. A
  /// header that promises another size is a problem before the rest is unpacked.
  Result<DataFile> inflate(std::int64_t size, std::uint32_t check,
                           PromisedSize const& promised) const;
  /// A problem if the bytes have another CRC-32. Reads them all.
  Result<Success> check(std::uint32_t check) const;
  /// Whether bytes are in memory, so that looking at all of them costs little.
  bool in_memory() const;

 private:
  struct Source;
  DataFile(std::string name, std::shared_ptr<Source const> source, std::int64_t begin,
           std::int64_t size)
      : name_(std::move(name)), source_(std::move(source)), begin_(begin), size_(size) {}
  static DataFile of_bytes(std::string name, std::vector<std::uint8_t> bytes);

  std::string name_;
  std::shared_ptr<Source const> source_;
  std::int64_t begin_, size_;
};

}  // namespace lbann::runtime
