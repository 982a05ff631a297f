// Communicators along axes of the mesh of a trainer.
#pragma once

#include <map>
#include <memory>
#include <set>

#include "runtime/communication/communicator.hpp"
#include "runtime/communication/device_sums.hpp"
#include "schemas/specialization/specialize.hpp"

namespace lbann::runtime {

/// One communicator for each set of axes that the collectives of a program run along.
class AxisGroups {
 public:
  /// Collective. `trainer` must outlive it.
  AxisGroups(Communicator& trainer, SpecializedProgram const& program);

  /// Of the ranks that differ from this one along no other axes; an all-reduce of `program` runs
  /// along them.
  Communicator& along(AxisSet axes) const;
  /// The same for sums of tensors of devices; null where they go by way of the host.
  DeviceSums* sums_along(AxisSet axes) const;
  /// Whether all sums are by devices.
  bool sums_by_devices() const;
  /// All ranks of the trainer, for messages between pairs of them.
  Communicator& all() const { return *exchanges_; }

 private:
  Communicator& trainer_;
  Mesh mesh_;
  std::map<AxisSet, std::unique_ptr<Communicator>> groups_;
  std::map<AxisSet, std::unique_ptr<DeviceSums>> device_sums_;
  std::unique_ptr<Communicator> exchanges_;  ///< null where nothing is exchanged
};

/// The axes of size above one that a collective of `program` runs along.
AxisSet axes_along(SpecializedProgram const& program, Operator const& collective);

}  // namespace lbann::runtime
