// Kernels of matmul and batched_matmul for bf16 factors.
#pragma once

#include <memory>

#include "kernels/kernel.hpp"

namespace lbann::kernels::host::sixteen_bit {

/// Whether the kernels compute `call`, whose factors are bf16.
bool takes_matmul(Call const& call);
std::unique_ptr<Kernel> make_matmul(Call const& call);
bool takes_batched_matmul(Call const& call);
std::unique_ptr<Kernel> make_batched_matmul(Call const& call);

}  // namespace lbann::kernels::host::sixteen_bit
