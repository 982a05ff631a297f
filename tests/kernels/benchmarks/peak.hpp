// What the FMA units of the threads of this process reach.
#pragma once

namespace lbann::benchmarks {

/// Operations in a second on f32, of all threads together: the microkernel of products over factors
/// in the first-level caches. A bound for every product and convolution.
double fma_rate();

}  // namespace lbann::benchmarks
