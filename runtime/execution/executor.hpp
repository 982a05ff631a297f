// A specialised program with its memory and its kernels: ready to run without looking anything up.
#pragma once

#include <memory>
#include <string_view>
#include <vector>

#include "kernels/kernel.hpp"
#include "runtime/memory/arenas.hpp"
#include "schemas/plan/plan.hpp"
#include "schemas/specialization/specialize.hpp"

namespace lbann::runtime {

/// One entry point bound to a number of local samples.
struct BoundEntry {
  /// One bound instruction; those that move nothing (reshape in place) have none.
  struct Step {
    std::unique_ptr<kernels::Kernel> kernel;
    std::size_t instruction;          ///< index in the entry
    std::string_view implementation;  ///< name of the kernel chosen
  };

  SpecializedEntry const* entry = nullptr;
  std::int64_t samples = 0;
  std::vector<Step> steps;
  std::vector<std::vector<kernels::View>> views;  ///< what the kernels were bound to
};

class Executor {
 public:
  /// Specialises `plan` for a single process and allocates its arenas.
  static Result<std::unique_ptr<Executor>> create(Plan const& plan, std::int64_t mini_batch,
                                                  kernels::Selection selection);

  /// Binds `entry` for `samples` local samples, once; the problem names the instruction's line.
  Result<BoundEntry const*> bind(std::string_view entry, std::int64_t samples);

  /// Executes the instructions in order.
  static void run(BoundEntry const& entry) {
    for (auto const& step : entry.steps) step.kernel->run();
  }

  SpecializedProgram const& program() const { return program_; }
  Arenas const& arenas() const { return arenas_; }
  /// The tensor in memory, its batch bound to `samples`; null data for a tensor without a place.
  kernels::View view(TensorId tensor, std::int64_t samples) const;
  /// The scalar `tensor`; it must be of type T and have a place.
  template <class T>
  T& scalar(TensorId tensor) const {
    return *view(tensor, 0).as<T>();
  }
  Executor(Executor const&) = delete;

 private:
  Executor(Plan const& plan, SpecializedProgram program, Arenas arenas,
           kernels::Selection selection);
  Result<BoundEntry::Step> bind_instruction(SpecializedEntry const& entry, std::size_t index,
                                            BoundEntry& bound) const;

  Plan const& plan_;
  SpecializedProgram program_;
  Arenas arenas_;
  kernels::Selection selection_;
  std::vector<std::unique_ptr<BoundEntry>> bound_;
};

}  // namespace lbann::runtime
