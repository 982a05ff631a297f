// What one rank asks of a GPU and of what connects it with the host, from its specialised program.
#pragma once

#include "schemas/specialization/specialize.hpp"

namespace lbann {

/// Whether there is no kernel for GPUs that computes it: a user's library does, in the host's
/// memory.
bool runs_on_host(Operator const& op);

/// Such an instruction waits for the GPU in each run, and works on copies.
struct HostInstruction {
  std::string op, layer;
  std::int64_t to_host = 0;    ///< bytes of its inputs, those in the same memory once
  std::int64_t to_device = 0;  ///< bytes of its outputs
};

/// One execution of an entry point on a full mini-batch. Messages between ranks are told by
/// `report_messages`.
struct EntryOnDevice {
  std::string entry;
  std::int64_t instructions = 0;
  std::int64_t to_device = 0;            ///< bytes of samples, and of numbers that the host sets
  std::int64_t to_host = 0;              ///< bytes of these numbers, some of which are results
  std::vector<HostInstruction> on_host;  ///< their copies are counted here alone
};

struct DeviceReport {
  std::int64_t bytes = 0;  ///< of the GPU's memory, for tensors and scratch
  std::vector<EntryOnDevice> entries;
};

/// `program` must not share memory between ranks: GPUs do not.
DeviceReport report_device(Plan const& plan, SpecializedProgram const& program);

}  // namespace lbann
