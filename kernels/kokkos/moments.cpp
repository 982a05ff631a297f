// Portable kernel of moments: a piece of one output for each block of lanes, then partial results
// in order, so that results do not depend on the number of threads.
#include "kernels/kokkos/moments.hpp"

#include "kernels/conversion.hpp"
#include "kernels/folds/piece_elements.hpp"
#include "kernels/kokkos/folds.hpp"
#include "kernels/selection/list.hpp"

namespace lbann::kernels::kokkos {

namespace {

template <class T>
struct MomentPieces {
  using Value = Moments;
  static constexpr int folds = 1;

  T const* x;
  ReduceLayout layout;
  MomentPartials partials;
  double *mean, *m2;  ///< for a single piece

  KOKKOS_FUNCTION Moments part(Lane const& lane, int, Moments const*) const {
    auto const piece = piece_of(layout, lane.index);
    DeviationSums sums;
    for_each_element<T, 8>(
        layout, piece, lane, [&](std::int64_t at) { return x[at]; },
        [&](T value) { sums.add(convert<double>(value)); });
    return sums.moments();
  }

  KOKKOS_FUNCTION Moments combine(int, Moments a, Moments const& b) const {
    a.merge(b);
    return a;
  }

  KOKKOS_FUNCTION void finish(Lane const& lane, Moments const* all) const {
    if (lane.lane != 0) return;
    auto const piece = piece_of(layout, lane.index);
    auto const output = piece.a * layout.c + piece.c_begin;
    bool const single = layout.partials() == 1;
    (single ? mean[output] : partials.mean(piece.partial, output)) = all->mean;
    (single ? m2[output] : partials.m2(piece.partial, output)) = all->m2;
  }
};

template <class T>
class MomentsKernel : public Kernel {
 public:
  MomentsKernel(MomentPieces<T> const& pieces, SetNumber count) : pieces_(pieces), count_(count) {}

  void run() override {
    auto const& layout = pieces_.layout;
    launch(1, 1, count_);
    launch_folds(pieces_of(layout), lanes_for(most_elements_of_piece(layout)),
                 static_cast<double>(layout.elements()), pieces_);
    if (layout.partials() > 1)
      launch(layout.outputs(), static_cast<double>(layout.outputs() * layout.partials() * 4),
             CombineMoments{layout, pieces_.partials, pieces_.mean, pieces_.m2});
  }

 private:
  MomentPieces<T> pieces_;
  SetNumber count_;
};

}  // namespace

Implementation moments_kernel() {
  return {"kokkos", [](Call const& call) { return moments_layout(call, device_grain).has_value(); },
          [](Call const& call) {
            auto const layout = *moments_layout(call, device_grain);
            auto const& x = call.inputs[0];
            return with_factor_type(x.type, [&](auto zero) -> std::unique_ptr<Kernel> {
              using T = decltype(zero);
              MomentPieces<T> const pieces{
                  x.as<T>(),
                  layout,
                  {reinterpret_cast<double*>(call.scratch.data()), layout.outputs()},
                  call.outputs[1].as<double>(),
                  call.outputs[2].as<double>()};
              auto const count = static_cast<double>(layout.reduced_rows() * layout.d);
              return std::make_unique<MomentsKernel<T>>(
                  pieces, SetNumber{call.outputs[0].as<double>(), count});
            });
          }};
}

}  // namespace lbann::kernels::kokkos
