// Kernels of convolution and its gradients for bf16 factors.
#pragma once

#include <memory>

#include "kernels/kernel.hpp"

namespace lbann::kernels::host::sixteen_bit {

/// Whether the kernels compute `call`, whose factors are bf16.
bool takes_convolution(Call const& call);
std::unique_ptr<Kernel> make_convolution(Call const& call);
bool takes_input_gradient(Call const& call);
std::unique_ptr<Kernel> make_input_gradient(Call const& call);
bool takes_kernel_gradient(Call const& call);
std::unique_ptr<Kernel> make_kernel_gradient(Call const& call);

}  // namespace lbann::kernels::host::sixteen_bit
