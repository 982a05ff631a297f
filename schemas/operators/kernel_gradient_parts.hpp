// How CPU kernels cut the sums of a convolution's kernel gradient.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>

namespace lbann {

/// Parts of a mini-batch whose sums one thread computes by itself, so that no core reads what
/// another one has laid out. The sums of all parts are at most about an eighth of what they read;
/// those of large kernels are of one part, whose tiles are shared out instead. Results do not
/// depend on the number of threads because parts do not.
struct KernelGradientParts {
  static constexpr std::int64_t most = 16;

  std::int64_t samples;      ///< of a part, a power of two, so that threads get equal shares
  std::int64_t parts;        ///< of this mini-batch
  std::int64_t upper_bound;  ///< of `parts` for mini-batches up to this one

  /// `read`: elements of x and dy of a sample; `kernel`: elements of the gradient.
  KernelGradientParts(std::int64_t batch, std::int64_t read, std::int64_t kernel) {
    auto const up = [](std::int64_t a, std::int64_t b) { return a / b + (a % b != 0 ? 1 : 0); };
    auto const whole = std::max<std::int64_t>(batch, 1);
    auto const power = [&](std::int64_t x) {
      return static_cast<std::int64_t>(
          std::bit_ceil(static_cast<std::uint64_t>(std::clamp<std::int64_t>(x, 1, whole))));
    };
    auto const enough = power(up(kernel, std::max<std::int64_t>(read / 8, 1)));
    samples = std::max(enough, power(up(whole, most)));
    parts = up(whole, samples);
    upper_bound = std::min(most, up(whole, enough));
  }
};

}  // namespace lbann
