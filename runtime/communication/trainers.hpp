// Splits the ranks of a job into trainers, each of which trains one model.
#pragma once

#include "runtime/communication/communicator.hpp"
#include "schemas/vocabulary/result.hpp"

namespace lbann::runtime {

/// A job's ranks in consecutive blocks, one per trainer.
struct Ranks {
  std::unique_ptr<Communicator> world;
  std::unique_ptr<Communicator> trainer;  ///< the ranks of this trainer
  std::unique_ptr<Communicator> between;  ///< the same rank of every trainer
  std::int64_t trainers = 1;
  std::int64_t number = 0;  ///< of this trainer

  /// Whether this rank is the trainer root, which writes log and files.
  bool is_root() const { return trainer->rank() == 0; }
};

/// A job of one process.
Ranks single_rank();

/// Splits `world` into trainers of `per_trainer` ranks; 0: one trainer. Fails on all ranks, with a
/// message on rank 0, if the ranks are not divisible. Collective.
Result<Ranks> split_into_trainers(std::unique_ptr<Communicator> world, std::int64_t per_trainer);

}  // namespace lbann::runtime
