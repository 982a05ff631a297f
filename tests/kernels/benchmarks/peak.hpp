// What the FMA units of the threads of this process reach.
#pragma once

namespace lbann::benchmarks {

/// Operations in a second on f32, of all threads together, by chains of fused multiply-adds in
/// registers: a bound for every product and convolution.
double fma_rate();

}  // namespace lbann::benchmarks
