// The pass `fuse_maps`: fusion of the whole program but for predictions.
#include <algorithm>

#include "compiler/passes/program_passes.hpp"
#include "schemas/program/fuse.hpp"

namespace lbann::compiler {

void fuse_maps(Program& program) {
  // Which values of `predict` are kept is known only when it runs; it is fused then.
  auto& entries = program.entry_points;
  auto const found = std::ranges::find(entries, predict_entry, &EntryPoint::name);
  if (found == entries.end()) return fuse(program);
  auto const place = found - entries.begin();
  auto predict = std::move(*found);
  entries.erase(found);
  fuse(program);
  entries.insert(entries.begin() + place, std::move(predict));
}

}  // namespace lbann::compiler
