// Copies runs of memory in parallel.
#include "kernels/kokkos/copies.hpp"

#include <cstring>

#include "kernels/kokkos/streams.hpp"

namespace lbann::kernels::kokkos {

namespace {

/// A thread on the host copies pieces of this many units, one on a device single units.
constexpr std::int64_t piece = on_host ? 8192 : 1;
/// Bytes of a run from which on it is worth going past the caches.
constexpr std::int64_t streamed_run = 1024;

template <class Unit>
struct CopyPieces {
  Unit const* from;
  Unit* to;
  std::int64_t length, pieces, from_step, to_step;  ///< in units
  bool streams;

  KOKKOS_FUNCTION void operator()(std::int64_t index) const {
    std::int64_t const run = index / pieces, begin = index % pieces * piece;
    std::int64_t const end = begin + piece < length ? begin + piece : length;
    Unit const* const source = from + run * from_step;
    Unit* const destination = to + run * to_step;
    put(destination + begin, source + begin, end - begin, streams);
    if (streams) finish_streams();
  }
};

template <class Unit>
class Copies : public Kernel {
 public:
  explicit Copies(std::vector<Copy> copies) : copies_(std::move(copies)) {}

  void run() override {
    constexpr auto size = static_cast<std::int64_t>(sizeof(Unit));
    for (auto const& copy : copies_) {
      auto const length = copy.bytes / size;
      auto const pieces = (length + piece - 1) / piece;
      launch(copy.count * pieces, 0.2 * static_cast<double>(copy.count * copy.bytes),
             CopyPieces<Unit>{reinterpret_cast<Unit const*>(copy.from),
                              reinterpret_cast<Unit*>(copy.to), length, pieces,
                              copy.from_step / size, copy.to_step / size,
                              on_host && copy.bytes >= streamed_run &&
                                  copy.count * copy.bytes >= streamed_in_order()});
    }
  }

 private:
  std::vector<Copy> copies_;
};

}  // namespace

std::unique_ptr<Kernel> copies_kernel(std::vector<Copy> copies, std::size_t unit) {
  std::erase_if(copies, [](Copy const& copy) {
    return copy.from == copy.to || copy.count == 0 || copy.bytes == 0;
  });
  switch (unit) {
    case 1:
      return std::make_unique<Copies<std::uint8_t>>(std::move(copies));
    case 2:
      return std::make_unique<Copies<std::uint16_t>>(std::move(copies));
    case 4:
      return std::make_unique<Copies<std::uint32_t>>(std::move(copies));
    default:
      return std::make_unique<Copies<std::uint64_t>>(std::move(copies));
  }
}

}  // namespace lbann::kernels::kokkos
