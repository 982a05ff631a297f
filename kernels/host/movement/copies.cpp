// Copies runs of memory in parallel.
#include "kernels/host/movement/copies.hpp"

#include "kernels/element_types.hpp"
#include "kernels/host/non_temporal.hpp"
#include "kernels/tasks.hpp"

namespace lbann::kernels::host {

namespace {

/// Units that a thread copies at a time.
constexpr std::int64_t piece = 8192;
/// Runs of at least so many bytes are worth non-temporal stores.
constexpr std::int64_t non_temporal_run = 1024;

template <class Unit>
struct CopyPieces {
  Unit const* from;
  Unit* to;
  std::int64_t length, pieces, from_step, to_step;  ///< in units
  bool non_temporal;

  void operator()(std::int64_t index) const {
    std::int64_t const run = index / pieces, begin = index % pieces * piece;
    std::int64_t const end = begin + piece < length ? begin + piece : length;
    Unit const* const source = from + run * from_step;
    Unit* const destination = to + run * to_step;
    copy_run(destination + begin, source + begin, end - begin, non_temporal);
    if (non_temporal) store_fence();
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
      launch_on_threads(
          copy.count * pieces, 0.2 * static_cast<double>(copy.count * copy.bytes),
          CopyPieces<Unit>{reinterpret_cast<Unit const*>(copy.from),
                           reinterpret_cast<Unit*>(copy.to), length, pieces, copy.from_step / size,
                           copy.to_step / size,
                           copy.bytes >= non_temporal_run &&
                               copy.count * copy.bytes >= non_temporal_bytes_in_order()});
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
  return with_unit(unit, [&](auto zero) -> std::unique_ptr<Kernel> {
    return std::make_unique<Copies<decltype(zero)>>(std::move(copies));
  });
}

}  // namespace lbann::kernels::host
