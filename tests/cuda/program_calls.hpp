// Instructions of a plan as kernels are called with them, of memory that is not there: for what is
// decided by shapes and types alone.
#pragma once

#include <cstdint>
#include <cstdio>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "kernels/kernel.hpp"
#include "schemas/plan/plan.hpp"
#include "schemas/specialization/specialize.hpp"

namespace lbann::test {

/// The views of `ids`: apart from one another and aligned as tensors are.
inline std::vector<kernels::View> views_without_memory(SpecializedProgram const& program,
                                                       std::vector<TensorId> const& ids) {
  std::vector<kernels::View> all;
  for (auto const id : ids) {
    auto const address = (id.index() + std::uintptr_t{1}) << 36;
    all.push_back(kernels::make_view(reinterpret_cast<void*>(address),
                                     program.tensors[id.index()].type,
                                     program.samples(id, program.mini_batch)));
  }
  return all;
}

/// Of a micro-batch on one rank. Says why a plan cannot be read, with nothing in place of it.
inline std::optional<SpecializedProgram> program_of(std::string const& path) {
  auto const plan = read_plan(path);
  if (!plan) {
    std::printf("%s: %s\n", path.c_str(), plan.problem().message.c_str());
    return std::nullopt;
  }
  Placement placement;
  placement.mini_batch = plan.value().micro_batch_size();
  auto program = specialize(plan.value(), placement);
  if (!program) {
    std::printf("%s: %s\n", path.c_str(), program.problem().message.c_str());
    return std::nullopt;
  }
  return std::move(program.value());
}

}  // namespace lbann::test
