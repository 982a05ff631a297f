// Indices that cannot be taken for one another.
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <functional>

namespace lbann {

/// Index into one kind of table; `Id<TensorTag>` cannot be passed for `Id<LayerTag>`.
template <class Tag>
struct Id {
  static constexpr std::uint32_t none = 0xffffffff;

  std::uint32_t value = none;

  constexpr Id() = default;
  constexpr explicit Id(std::size_t index) : value(static_cast<std::uint32_t>(index)) {}
  constexpr bool valid() const { return value != none; }
  constexpr std::size_t index() const { return value; }
  friend constexpr auto operator<=>(Id const&, Id const&) = default;
};

using TensorId = Id<struct TensorTag>;
using LayerId = Id<struct LayerTag>;
using WeightsId = Id<struct WeightsTag>;
using InstructionId = Id<struct InstructionTag>;

}  // namespace lbann

template <class Tag>
struct std::hash<lbann::Id<Tag>> {
  std::size_t operator()(lbann::Id<Tag> id) const noexcept { return id.value; }
};
