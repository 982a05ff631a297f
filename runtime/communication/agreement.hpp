// Results that must be the same on all ranks before anyone goes on.
#pragma once

#include <string>

#include "runtime/communication/communicator.hpp"
#include "schemas/vocabulary/result.hpp"

namespace lbann::runtime {

/// Collective: success if it is `mine` on every rank. Else the first rank with a problem gets that
/// one, its number in front where there are several ranks, and all others an empty one, so that
/// only one rank prints a message.
Result<Success> agree_on_status(Communicator& ranks, Result<Success> mine);

/// The same for any result; its value stays where it is.
template <class T>
Result<Success> agree_on_status(Communicator& ranks, Result<T> const& mine) {
  if (mine) return agree_on_status(ranks, Result<Success>(Success{}));
  return agree_on_status(ranks, Result<Success>(mine.problem()));
}

/// Collective: success if `digest` is that of rank 0 everywhere. `what` the rank has that differs,
/// and what to do about it, make the problem.
Result<Success> same_everywhere(Communicator& ranks, std::uint64_t digest, std::string const& what,
                                std::string const& remedy);

/// Collective: the text that rank 0 has.
std::string broadcast_text(Communicator& ranks, std::string text);

/// Digest of the program that runs; 0 where it cannot be read.
std::uint64_t program_digest();

}  // namespace lbann::runtime
