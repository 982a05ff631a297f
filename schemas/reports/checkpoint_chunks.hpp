// Which bytes of a checkpoint each rank copies and writes.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

namespace lbann {

/// Bytes that a checkpoint digests, and that one rank writes, at a time.
inline constexpr std::int64_t checkpoint_chunk_bytes = std::int64_t{16} << 20;

/// Number of chunks of so many bytes of arrays.
constexpr std::int64_t chunk_count(std::int64_t array_bytes) {
  return (array_bytes + checkpoint_chunk_bytes - 1) / checkpoint_chunk_bytes;
}

/// Bytes of one chunk of so many bytes of arrays.
constexpr std::int64_t bytes_of_chunk(std::int64_t chunk, std::int64_t array_bytes) {
  return std::min(checkpoint_chunk_bytes, array_bytes - chunk * checkpoint_chunk_bytes);
}

/// The chunks of a rank: chunk c is that of rank c modulo the number of ranks.
inline std::vector<std::int64_t> chunks_of(std::int64_t chunks, std::int64_t rank,
                                           std::int64_t ranks) {
  std::vector<std::int64_t> own;
  for (auto chunk = rank; chunk < chunks; chunk += ranks) own.push_back(chunk);
  return own;
}

/// Bytes of all chunks of a rank.
inline std::int64_t bytes_of_chunks(std::int64_t array_bytes, std::int64_t rank,
                                    std::int64_t ranks) {
  std::int64_t sum = 0;
  for (auto const chunk : chunks_of(chunk_count(array_bytes), rank, ranks))
    sum += bytes_of_chunk(chunk, array_bytes);
  return sum;
}

}  // namespace lbann
