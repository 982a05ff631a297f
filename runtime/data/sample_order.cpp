// Fisher-Yates on counter-based random numbers.
#include "runtime/data/sample_order.hpp"

#include <utility>

namespace lbann::runtime {

void shuffle(std::span<std::int64_t> indices, PhiloxKey key, std::int64_t epoch) {
  for (auto left = indices.size(); left > 1; --left) {
    auto const words = philox(random_counter(epoch, static_cast<std::int64_t>(left), 0), key);
    auto const random = (std::uint64_t{words[0]} << 32) | words[1];
    // random / 2^64 * left without rounding up to left; the bias is below left / 2^64.
    auto const pick = static_cast<std::size_t>(
        (static_cast<unsigned __int128>(random) * static_cast<unsigned __int128>(left)) >> 64);
    std::swap(indices[left - 1], indices[pick]);
  }
}

}  // namespace lbann::runtime
