// The ranks of a job as trainers: each trains a model of its own.
#pragma once

#include "runtime/communication/communicator.hpp"
#include "schemas/vocabulary/result.hpp"

namespace lbann::runtime {

/// A job's ranks in blocks: trainer 0 has the first, trainer 1 those behind them.
struct Ranks {
  std::unique_ptr<Communicator> world;
  std::unique_ptr<Communicator> trainer;  ///< the ranks of this trainer
  std::unique_ptr<Communicator> between;  ///< the same rank of every trainer
  std::int64_t trainers = 1;
  std::int64_t number = 0;  ///< of this trainer

  /// Whether this rank writes what its trainer has to say.
  bool is_root() const { return trainer->rank() == 0; }
};

/// A job of one process.
Ranks single_rank();

/// The ranks of `world`, `per_trainer` to a trainer; 0: all in one. The problem, on rank 0, says
/// how many ranks do not fit. Collective.
Result<Ranks> arrange(std::unique_ptr<Communicator> world, std::int64_t per_trainer);

}  // namespace lbann::runtime
