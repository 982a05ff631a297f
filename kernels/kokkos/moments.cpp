// Portable kernel of moments: a piece of one output for each index, then partial results in order,
// so that results do not depend on the number of threads.
#include "kernels/kokkos/moments.hpp"

#include "kernels/kokkos/functor_kernel.hpp"
#include "kernels/selection/list.hpp"

namespace lbann::kernels::kokkos {

namespace {

template <class T>
struct MomentPieces {
  T const* x;
  ReduceLayout layout;
  MomentPartials partials;
  double *mean, *m2;  ///< for a single piece

  /// Sums of deviations from the first number and of their squares, in double: as that is one of
  /// the numbers itself, no more than log(count) digits cancel.
  KOKKOS_FUNCTION void operator()(std::int64_t index) const {
    auto const piece = piece_of(layout, index);
    auto const count = (piece.b_end - piece.b_begin) * (piece.d_end - piece.d_begin);
    double first = 0, sum = 0, squares = 0;
    if (count > 0) first = static_cast<double>(x[piece.row(layout, piece.b_begin) + piece.d_begin]);
    for (auto b = piece.b_begin; b < piece.b_end; ++b) {
      T const* const row = x + piece.row(layout, b);
      for (auto d = piece.d_begin; d < piece.d_end; ++d) {
        double const apart = static_cast<double>(row[d]) - first;
        sum += apart;
        squares += apart * apart;
      }
    }
    double const rest = count > 0 ? sum / static_cast<double>(count) : 0;
    double const m2_of_piece = squares - rest * sum;
    auto const output = piece.a * layout.c + piece.c_begin;
    bool const single = layout.partials() == 1;
    (single ? mean[output] : partials.mean(piece.partial, output)) = first + rest;
    (single ? m2[output] : partials.m2(piece.partial, output)) = m2_of_piece > 0 ? m2_of_piece : 0;
  }
};

template <class T>
class MomentsKernel : public Kernel {
 public:
  MomentsKernel(MomentPieces<T> const& pieces, SetNumber count) : pieces_(pieces), count_(count) {}

  void run() override {
    auto const& layout = pieces_.layout;
    launch(1, 1, count_);
    launch(pieces_of(layout), static_cast<double>(layout.elements()), pieces_);
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
  return {"kokkos",
          [](Call const& call) {
            auto const type = call.inputs[0].type;
            return (type == DataType::f32 || type == DataType::f64) &&
                   moments_layout(call, device_grain).has_value();
          },
          [](Call const& call) {
            auto const layout = *moments_layout(call, device_grain);
            auto const& x = call.inputs[0];
            return with_floating(x.type, [&](auto zero) -> std::unique_ptr<Kernel> {
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
