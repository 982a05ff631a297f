// Products of factors of 16 bits by the kernels of f32: the factors are converted first.
#pragma once

#include <memory>

#include "kernels/kernel.hpp"

namespace lbann::kernels::host::sixteen_bit {

/// The two ways to compute an operator whose factors are of 16 bits: by kernels of tiles, or by
/// those of f32, once the factors are converted at the beginning of the scratch memory.
struct Ways {
  bool (*takes_tiles)(Call const&);
  std::unique_ptr<Kernel> (*make_tiles)(Call const&);
  bool (*accepts_f32)(Call const&);
  std::unique_ptr<Kernel> (*bind_f32)(Call const&);

  /// Whether the way that `widens_factors` chooses takes `call`.
  bool accept(Call const& call) const;
  std::unique_ptr<Kernel> bind(Call const& call) const;
};

}  // namespace lbann::kernels::host::sixteen_bit
