// Splits the world into blocks of consecutive ranks.
#include "runtime/communication/trainers.hpp"

#include <string>

#include "runtime/communication/agreement.hpp"

namespace lbann::runtime {

Ranks single_rank() { return {single_process(), single_process(), single_process(), 1, 0}; }

Result<Ranks> split_into_trainers(std::unique_ptr<Communicator> world, std::int64_t per_trainer) {
  Ranks ranks;
  ranks.world = std::move(world);
  auto const size = ranks.world->size(), rank = ranks.world->rank();
  if (per_trainer == 0) per_trainer = size;
  if (size % per_trainer != 0) {
    if (rank != 0) return Problem{};
    return Problem{std::to_string(size) + " ranks are not divisible by --procs-per-trainer " +
                   std::to_string(per_trainer) + "; start a multiple of " +
                   std::to_string(per_trainer) + " processes"};
  }
  ranks.trainers = size / per_trainer;
  ranks.number = rank / per_trainer;
  ranks.trainer = ranks.world->split(ranks.number);
  ranks.between = ranks.world->split(rank % per_trainer);
  return ranks;
}

}  // namespace lbann::runtime
