// How a product of factors of 16 bits is computed.
#pragma once

#include <memory>

#include "kernels/kernel.hpp"

namespace lbann::kernels::host::sixteen_bit {

/// Chooses, as `widens_factors` and `transforms_widened` say, between the kernel that multiplies
/// tiles and the one for f32, for which the factors are converted at the beginning of the scratch
/// memory.
struct Dispatch {
  bool (*takes_tiles)(Call const&);
  std::unique_ptr<Kernel> (*make_tiles)(Call const&);
  bool (*accepts_f32)(Call const&);
  std::unique_ptr<Kernel> (*bind_f32)(Call const&);

  bool accepts(Call const& call) const;
  std::unique_ptr<Kernel> bind(Call const& call) const;

 private:
  bool converts(Call const& call) const;
};

}  // namespace lbann::kernels::host::sixteen_bit
