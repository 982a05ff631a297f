// Source of the mini-batches of a pass.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>

#include "runtime/data/mini_batch.hpp"
#include "schemas/vocabulary/result.hpp"

namespace lbann::runtime {

/// The mini-batches of one role, pass after pass.
class Feed {
 public:
  virtual ~Feed() = default;
  /// Begins a pass at its mini-batch `first_batch`; the order of samples is a function of `epoch`.
  virtual void begin(std::int64_t epoch, std::int64_t first_batch) = 0;
  /// Copies bytes `from` memory of the feed, which stays as it is until `device::synchronize`, or
  /// until `next` is called again.
  using Copy = void (*)(void* to, void const* from, std::size_t bytes);
  /// Copies this rank's part of the next mini-batch, field by field, to `fields`. Allocates
  /// nothing.
  virtual Result<MiniBatch> next(std::span<std::byte* const> fields, Copy copy) = 0;
  /// Describes the first number that is not finite in this rank's part of the last mini-batch, or
  /// else of the one before; nothing if there is none. `fields` as for `next`. Reads the samples
  /// again: for a run that has failed.
  virtual std::optional<std::string> find_not_finite(std::span<std::byte* const> /*fields*/) const {
    return std::nullopt;
  }
};

}  // namespace lbann::runtime
