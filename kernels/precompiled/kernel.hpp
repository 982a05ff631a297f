// Headers that every kernel includes, compiled once: they are half of what a small kernel's file
// costs. A unity build uses this file; every kernel includes what it needs all the same.
#include <Kokkos_Core.hpp>

#include "kernels/kernel.hpp"
