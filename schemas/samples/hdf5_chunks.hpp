// Chunks of a dataset of an HDF5 file: where they lie, and how they are packed.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "schemas/vocabulary/result.hpp"

namespace lbann {

class DataFile;

/// What was done to the bytes of each chunk, in this order.
enum class Hdf5Filter : std::uint8_t { deflate, shuffle, fletcher32 };

struct Hdf5Chunks {
  struct Place {
    std::int64_t begin = -1;  ///< -1: it was never written, all its numbers are the fill value
    std::int64_t size = 0;
    std::uint32_t left_out = 0;  ///< bit i: filter i was not applied
  };

  std::vector<std::int64_t> dims;    ///< of a chunk
  std::vector<std::int64_t> counts;  ///< chunks along each axis
  std::vector<Hdf5Filter> filters;
  std::int64_t number_bytes = 0;
  std::vector<std::uint8_t> fill;  ///< the bytes of one number
  std::vector<Place> places;       ///< in C order; empty before they are found

  /// Bytes of a chunk, unpacked.
  std::int64_t bytes() const;
};

/// The unpacked bytes of chunk number `chunk`, in memory of this thread that the next call uses
/// again; a chunk that was unpacked last is not unpacked again. Problems name the file.
Result<std::span<std::uint8_t const>> read_chunk(std::shared_ptr<Hdf5Chunks const> const& chunks,
                                                 std::size_t chunk, DataFile const& file);

}  // namespace lbann
