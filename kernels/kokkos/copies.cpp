// Copies runs of memory, a unit for each index.
#include "kernels/kokkos/copies.hpp"

#include "kernels/element_types.hpp"
#include "kernels/kokkos/launch.hpp"
#include "kernels/shapes/division.hpp"

namespace lbann::kernels::kokkos {

namespace {

template <class Unit>
struct CopyUnits {
  Unit const* from;
  Unit* to;
  std::int64_t length, from_step, to_step;  ///< in units

  KOKKOS_FUNCTION void operator()(std::int64_t index) const {
    auto const [run, place] = divide(index, length);
    to[run * to_step + place] = from[run * from_step + place];
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
      launch(copy.count * length, static_cast<double>(copy.count * length),
             CopyUnits<Unit>{reinterpret_cast<Unit const*>(copy.from),
                             reinterpret_cast<Unit*>(copy.to), length, copy.from_step / size,
                             copy.to_step / size});
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

}  // namespace lbann::kernels::kokkos
