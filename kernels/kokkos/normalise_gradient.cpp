// Portable kernel of normalise_gradient: dx with a row for each block of lanes, the gradients of
// scale and bias with a column for each.
#include "kernels/kokkos/folds.hpp"
#include "kernels/selection/list.hpp"

namespace lbann::kernels::kokkos {

namespace {

template <class T>
struct Tensors {
  T const *x, *means, *inverses, *dy;
  T const* scale;  ///< null if there is none
  T *dx, *dscale, *dbias;
  std::int64_t rows, columns;

  KOKKOS_FUNCTION T normal(std::int64_t row, std::int64_t i) const {
    return (x[row * columns + i] - means[row]) * inverses[row];
  }
  /// Gradient of the normalised x.
  KOKKOS_FUNCTION T gradient(std::int64_t row, std::int64_t i) const {
    T const of_y = dy[row * columns + i];
    return scale == nullptr ? of_y : of_y * scale[i];
  }
};

struct TwoSums {
  double a, b;
};

/// The sums over a row, then dx of its entries.
template <class T>
struct RowGradient {
  using Value = TwoSums;
  static constexpr int folds = 1;
  Tensors<T> t;

  KOKKOS_FUNCTION TwoSums part(Lane const& lane, int, TwoSums const*) const {
    TwoSums sums{0, 0};
    for (std::int64_t i = lane.lane; i < t.columns; i += lane.lanes) {
      auto const gradient = static_cast<double>(t.gradient(lane.index, i));
      sums.a += gradient;
      sums.b += gradient * static_cast<double>(t.normal(lane.index, i));
    }
    return sums;
  }

  KOKKOS_FUNCTION TwoSums combine(int, TwoSums x, TwoSums y) const {
    return {x.a + y.a, x.b + y.b};
  }

  KOKKOS_FUNCTION void finish(Lane const& lane, TwoSums const* sums) const {
    auto const row = lane.index;
    T const mean_gradient = static_cast<T>(sums->a / static_cast<double>(t.columns));
    T const mean_product = static_cast<T>(sums->b / static_cast<double>(t.columns));
    for (std::int64_t i = lane.lane; i < t.columns; i += lane.lanes)
      t.dx[row * t.columns + i] =
          (t.gradient(row, i) - mean_gradient - t.normal(row, i) * mean_product) * t.inverses[row];
  }
};

/// The sums over a column.
template <class T>
struct ColumnGradient {
  using Value = TwoSums;
  static constexpr int folds = 1;
  Tensors<T> t;

  KOKKOS_FUNCTION TwoSums part(Lane const& lane, int, TwoSums const*) const {
    TwoSums sums{0, 0};
    for (std::int64_t row = lane.lane; row < t.rows; row += lane.lanes) {
      auto const of_y = static_cast<double>(t.dy[row * t.columns + lane.index]);
      sums.a += of_y;
      sums.b += of_y * static_cast<double>(t.normal(row, lane.index));
    }
    return sums;
  }

  KOKKOS_FUNCTION TwoSums combine(int, TwoSums x, TwoSums y) const {
    return {x.a + y.a, x.b + y.b};
  }

  KOKKOS_FUNCTION void finish(Lane const& lane, TwoSums const* sums) const {
    if (lane.lane != 0) return;
    if (t.dscale != nullptr) t.dscale[lane.index] = static_cast<T>(sums->b);
    if (t.dbias != nullptr) t.dbias[lane.index] = static_cast<T>(sums->a);
  }
};

template <class T>
class NormaliseGradient : public Kernel {
 public:
  explicit NormaliseGradient(Tensors<T> const& tensors) : tensors_(tensors) {}

  void run() override {
    auto const cost = static_cast<double>(2 * tensors_.rows * tensors_.columns);
    launch_folds(tensors_.rows, lanes_for(tensors_.columns), cost, RowGradient<T>{tensors_});
    if (tensors_.dscale != nullptr || tensors_.dbias != nullptr)
      launch_folds(tensors_.columns, lanes_for(tensors_.rows), cost, ColumnGradient<T>{tensors_});
  }

 private:
  Tensors<T> tensors_;
};

}  // namespace

Implementation normalise_gradient_kernel() {
  return {"kokkos", one_type, [](Call const& call) {
            auto const& op = operator_of<operators::normalise_gradient>(call);
            auto const& x = call.inputs[0];
            auto const rows = call.inputs[1].elements();
            bool const sums = op.scale || op.bias;
            return with_floating(x.type, [&](auto zero) -> std::unique_ptr<Kernel> {
              using T = decltype(zero);
              return std::make_unique<NormaliseGradient<T>>(
                  Tensors<T>{x.as<T>(), call.inputs[1].as<T>(), call.inputs[2].as<T>(),
                             call.inputs[3].as<T>(), op.scale ? call.inputs[4].as<T>() : nullptr,
                             call.outputs[0].as<T>(), op.scale ? call.outputs[1].as<T>() : nullptr,
                             op.bias ? call.outputs.back().as<T>() : nullptr, rows,
                             sums       ? call.outputs[1].elements()
                             : rows > 0 ? x.elements() / rows
                                        : 0});
            });
          }};
}

}  // namespace lbann::kernels::kokkos
