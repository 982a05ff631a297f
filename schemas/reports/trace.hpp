// When one rank does what on a machine, from its specialised program.
#pragma once

#include "schemas/reports/machine.hpp"
#include "schemas/specialization/specialize.hpp"

namespace lbann {

/// One instruction. It takes the longer of the times for its operations and for its operands'
/// bytes through memory (the roofline: Williams, Waterman and Patterson, 2009); one that posts a
/// message takes none itself.
struct TracedInstruction {
  std::string op, layer;
  double begin = 0;        ///< seconds after the begin of the entry point, and of waiting
  double seconds = 0;      ///< that it takes
  double waited = 0;       ///< before it, for messages that it needs
  std::int64_t flops = 0;  ///< of this rank
  std::int64_t bytes = 0;  ///< operands in memory; of a message, what the rank sends
  std::int64_t peers = 0;  ///< messages to others: one each, of a panel one a range
  double arrives = 0;      ///< a message: when all of it is there
};

/// One execution of an entry point on a full mini-batch, or micro-batch. Messages
/// leave the rank one after the other and travel while it computes; the ranks are taken to be as
/// fast as this one.
struct EntryTrace {
  std::string entry;
  std::vector<TracedInstruction> instructions;  ///< in order of execution
  double seconds = 0;                           ///< in all
  double waited = 0;                            ///< of them, for messages
};

/// A sum over P ranks sends 2 (P - 1) / P of its bytes in 2 log2 P rounds (Rabenseifner, 2004), an
/// exchange its pieces to each peer in a round of its own. Broadcast factors go through memory.
std::vector<EntryTrace> report_trace(SpecializedProgram const& program, Machine const& machine);

}  // namespace lbann
