// What one rank sends, from its specialised program.
#pragma once

#include "schemas/specialization/specialize.hpp"

namespace lbann {

/// One call of the communicator.
struct MessageInfo {
  std::string kind;        ///< the operator; `gather` of a product's factors, `shared_sum` of
                           ///< gradients, both in shared memory
  std::string layer;       ///< that caused it; of a bucket, the layer that completes it
  std::string tensor;      ///< what is sent
  std::int64_t bytes = 0;  ///< handed to the call by this rank, whatever travels on the wire
  /// Of an exchange of parts: bytes to each other rank that gets any.
  std::vector<std::int64_t> sends;
};

/// Messages of one execution of an entry point, in the order of posting.
struct EntryMessages {
  std::string entry;
  std::vector<MessageInfo> messages;
  std::int64_t bytes = 0;  ///< of all
};

/// One per entry point; every rank of a trainer posts the same, with or without samples.
std::vector<EntryMessages> report_messages(SpecializedProgram const& program);

}  // namespace lbann
