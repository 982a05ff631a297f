// One rank after the other is specialised and written.
#include "compiler/reports/replay_files.hpp"

#include <filesystem>

#include "compiler/source/files.hpp"
#include "schemas/reports/replay.hpp"

namespace lbann::compiler {

Result<Success> write_replay(Plan const& plan, RunSize const& size, Machine const& machine,
                             std::string const& folder) {
  auto placement = placement_of(plan, size, 0);
  if (!placement) return placement.problem();
  std::error_code failed;
  std::filesystem::create_directories(folder, failed);
  if (failed) return Problem{folder + ": " + failed.message()};
  std::string names;
  auto const ranks = size.ranks / placement.value().trainers;
  for (std::int64_t rank = 0; rank < ranks; ++rank) {
    placement.value().rank = rank;
    auto const program = specialize(plan, placement.value());
    if (!program) return program.problem();
    auto const path = std::filesystem::path(folder) / ("rank" + std::to_string(rank) + ".txt");
    auto const entry = program.value().entry("train") != nullptr ? "train" : predict_entry;
    auto const written = write_file(path.string(), replay_of(program.value(), entry, machine));
    if (!written) return written.problem();
    names += std::filesystem::absolute(path).string() + "\n";
  }
  return write_file((std::filesystem::path(folder) / "replay.txt").string(), names);
}

}  // namespace lbann::compiler
