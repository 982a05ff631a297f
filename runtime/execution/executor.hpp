// A specialised program bound to its memory and its kernels: it runs without lookups.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "kernels/kernel.hpp"
#include "runtime/communication/axis_groups.hpp"
#include "runtime/communication/communicator.hpp"
#include "runtime/execution/device_step.hpp"
#include "runtime/execution/factor_broadcast.hpp"
#include "runtime/memory/arenas.hpp"
#include "runtime/process/position.hpp"
#include "schemas/plan/plan.hpp"
#include "schemas/specialization/specialize.hpp"

namespace lbann::runtime {

/// One entry point bound to a number of samples.
struct BoundEntry {
  /// What a step does to a message, if anything; `barrier`: over all ranks.
  enum class Kind : std::uint8_t { compute, post, poll, await, barrier };

  /// One bound instruction; a reshape in place has none. A collective is a step that posts it and
  /// one that awaits it, with steps between that poll it.
  struct Step {
    std::unique_ptr<kernels::Kernel> kernel;
    std::size_t instruction = 0;      ///< index in the entry
    std::string_view implementation;  ///< name of the kernel chosen
    Kind kind = Kind::compute;
    char const* description = nullptr;  ///< of its instruction, see `position`
    std::size_t message = 0;            ///< that it posts, polls or awaits
  };

  SpecializedEntry const* entry = nullptr;
  std::int64_t mini_batch = 0;  ///< samples on all ranks
  std::int64_t samples = 0;     ///< of this rank
  std::vector<Step> steps;
  std::vector<std::vector<kernels::View>> views;     ///< what the kernels were bound to
  std::vector<std::vector<kernels::View>> written;   ///< per instruction: what it writes
  std::vector<std::string> descriptions;             ///< per instruction, see `position`
  std::vector<std::unique_ptr<Transfer>> transfers;  ///< per message of the entry
  std::unique_ptr<DeviceStep> on_device;  ///< null where kernels work on the host's memory
};

class Executor {
 public:
  /// Specialises `plan` for this rank among `ranks` (null: a single process), which must outlive
  /// it, and allocates its arenas. `mini_batch` counts the samples on all ranks.
  /// `mesh`: how the ranks are arranged; empty: all along `data`. `share`: whether this rank may
  /// share memory with the others; all must, or none does.
  static Result<std::unique_ptr<Executor>> create(Plan const& plan, std::int64_t mini_batch,
                                                  kernels::Selection selection,
                                                  Communicator* ranks = nullptr,
                                                  std::vector<MeshAxis> mesh = {},
                                                  bool share = true);

  /// Binds `entry` for a mini-batch of `mini_batch` samples on all ranks, once; the problem names
  /// the instruction's line. Not collective: ranks may bind in any order.
  Result<BoundEntry const*> bind(std::string_view entry, std::int64_t mini_batch);

  /// Executes the instructions in order; on a device the second time recorded as a whole.
  static void run(BoundEntry const& entry) {
    auto const all = [&] {
      for (auto const& step : entry.steps) {
        position().store(step.description, std::memory_order_relaxed);
        step.kernel->run();
      }
    };
    if (entry.on_device == nullptr)
      all();
    else
      entry.on_device->run_recorded(all);
    position().store(nullptr, std::memory_order_relaxed);
  }
  /// The same by `execute(step)`, which runs the kernel and may look at what it has written.
  template <class Execute>
  static void run(BoundEntry const& entry, Execute const& execute) {
    if (entry.on_device != nullptr) entry.on_device->begin();
    for (auto const& step : entry.steps) {
      position().store(step.description, std::memory_order_relaxed);
      execute(step);
    }
    if (entry.on_device != nullptr) entry.on_device->end();
    position().store(nullptr, std::memory_order_relaxed);
  }

  std::int64_t rank() const { return ranks_ == nullptr ? 0 : ranks_->rank(); }
  std::int64_t ranks() const { return ranks_ == nullptr ? 1 : ranks_->size(); }
  /// Samples of this rank in a mini-batch of `samples`, as inputs and results have them.
  std::int64_t local_samples(std::int64_t samples) const {
    return program_.mesh.part(samples, program_.batch).size;
  }
  /// Index in the mini-batch of the first of them.
  std::int64_t first_sample(std::int64_t samples) const {
    return program_.mesh.part(samples, program_.batch).begin;
  }

  /// For messages between ranks of which each holds a part of a tensor.
  Communicator& exchanges() const { return groups_->all(); }

  /// Instructions of what is bound that run on the host, on copies from the device's memory:
  /// `device : 2 instructions run on the host: external of `product`, ...`; empty where none do.
  std::string staged() const;

  /// How ranks communicate, for the log: `ranks : 2 share 0.2 GB of their node, ...`.
  std::string transport() const;

  SpecializedProgram const& program() const { return program_; }
  Arenas const& arenas() const { return arenas_; }

  /// The tensor on the host, its batch bound to `samples`, with the values that it has now; null
  /// data for a tensor without memory. Between runs of entries; the next one may change it.
  kernels::View read(TensorId tensor, std::int64_t samples) const;
  /// The same without its values. Those written to it take effect by `put`.
  kernels::View place(TensorId tensor, std::int64_t samples) const;
  void put(TensorId tensor) const;
  /// Where kernels find the tensor: for copies from the host by `device::copy_to_device`.
  std::byte* on_device(TensorId tensor) const;

  /// The scalar `tensor`; it must be of type T and have memory. What is written to an input, result
  /// or statistic of one number takes effect with the next run, by itself.
  template <class T>
  T& scalar(TensorId tensor) const {
    return *place(tensor, 0).as<T>();
  }
  /// The scalar `tensor`, or null where nothing uses it.
  template <class T>
  T* scalar_or_null(TensorId tensor) const {
    return tensor.valid() ? place(tensor, 0).as<T>() : nullptr;
  }
  ~Executor() { keep_position(); }
  Executor(Executor const&) = delete;

 private:
  Executor(Plan const& plan, SpecializedProgram program, Arenas arenas,
           kernels::Selection selection, Communicator* ranks, std::unique_ptr<SharedMemory> memory,
           std::unique_ptr<AxisGroups> groups);
  kernels::View view(TensorId tensor, std::int64_t mini_batch) const;
  kernels::View rows_of(TensorId tensor, IndexRange samples) const;
  void bind_message(std::size_t message, BoundEntry& bound) const;
  Factors factors_of(FactorBroadcast const& product, BoundEntry const& bound) const;
  std::vector<kernels::View> part_of(FactorBroadcast const& product, BoundEntry const& bound) const;
  bool has_image(TensorId tensor) const;
  std::unique_ptr<DeviceStep> device_step(BoundEntry const& bound) const;
  bool is_initialised_by_rank_zero(SpecializedEntry const& entry,
                                   Instruction const& instruction) const;
  Result<std::unique_ptr<kernels::Kernel>> bind_kernel(Instruction const& instruction,
                                                       kernels::Call call, std::int64_t mini_batch,
                                                       std::string_view& chosen) const;
  Result<std::unique_ptr<kernels::Kernel>> bind_panel(Instruction const& instruction,
                                                      kernels::Call call, BoundEntry const& bound,
                                                      std::vector<kernels::View>& views,
                                                      std::string_view& chosen) const;
  Result<BoundEntry::Step> bind_instruction(SpecializedEntry const& entry, std::size_t index,
                                            BoundEntry& bound) const;

  Plan const& plan_;
  SpecializedProgram program_;
  Arenas arenas_;
  kernels::Selection selection_;
  Communicator* ranks_;
  std::unique_ptr<AxisGroups> groups_;    ///< null for a single process
  std::unique_ptr<SharedMemory> memory_;  ///< of the shared arena; null without one
  std::vector<std::unique_ptr<BoundEntry>> bound_;
};

}  // namespace lbann::runtime
