// Results that all ranks agree on before any of them continues.
#pragma once

#include <string>

#include "runtime/communication/communicator.hpp"
#include "schemas/vocabulary/result.hpp"

namespace lbann::runtime {

/// Collective: success if `mine` is on every rank. Otherwise the lowest rank with a problem gets
/// it, prefixed with the rank if there are several, and all others an empty one, so that only one
/// rank prints a message.
Result<Success> agree_on_status(Communicator& ranks, Result<Success> mine);

/// The same for any result; its value is not moved.
template <class T>
Result<Success> agree_on_status(Communicator& ranks, Result<T> const& mine) {
  if (mine) return agree_on_status(ranks, Result<Success>(Success{}));
  return agree_on_status(ranks, Result<Success>(mine.problem()));
}

/// Collective: success if all ranks have the `digest` of rank 0. A rank's problem is made of `what`
/// differs ("reads another plan") and the `remedy`.
Result<Success> same_everywhere(Communicator& ranks, std::uint64_t digest, std::string const& what,
                                std::string const& remedy);

/// Collective: the text of rank 0, on all ranks.
std::string broadcast_text(Communicator& ranks, std::string text);

/// Digest of this executable; of no bytes if it cannot be read.
std::uint64_t program_digest();

}  // namespace lbann::runtime
