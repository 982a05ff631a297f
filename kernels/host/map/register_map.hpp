// Maps of tensors of 16 bits, a register of numbers at a time: widened as they are read, rounded as
// they are written, without tiles in between.
#pragma once

#include <optional>

#include "kernels/map/map_code.hpp"

namespace lbann::kernels::host {

/// A map with an ahead-of-time kernel, some of whose tensors are bf16 or f16. All operands that
/// vary along rows have the shape of the map. May be run by many threads at once, and gives the
/// bits of the bytecode whatever ranges it is called with.
class RegisterMap {
 public:
  /// Nothing where there is none for the request. `code` is what it was assembled to.
  static std::optional<RegisterMap> bind(MapRequest const& request, MapCode const& code);

  /// Elements [begin, end) of the iteration space in C order.
  void run(MapCode const& code, std::int64_t begin, std::int64_t end) const {
    run_(*this, code, begin, end);
  }

  std::uint8_t kernel = 0;  ///< number of the AOT kernel
  /// Of the AOT kernel: numbers of operands and outputs of the map, constants.
  std::array<std::uint8_t, max_operands> operands{};
  std::array<std::uint8_t, max_outputs> outputs{};
  std::array<float, max_operands> constants{};
  std::array<bool, max_outputs> rounded{};  ///< outputs that their type holds without rounding

 private:
  void (*run_)(RegisterMap const&, MapCode const&, std::int64_t, std::int64_t) = nullptr;
};

}  // namespace lbann::kernels::host
