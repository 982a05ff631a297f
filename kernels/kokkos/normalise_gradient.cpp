// Portable kernel of normalise_gradient: dx with a row for each index, the gradients of scale and
// bias with a column for each.
#include "kernels/kokkos/functor_kernel.hpp"
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

template <class T>
struct RowGradient {
  Tensors<T> t;

  KOKKOS_FUNCTION void operator()(std::int64_t row) const {
    double sum = 0, product = 0;
    for (std::int64_t i = 0; i < t.columns; ++i) {
      auto const gradient = static_cast<double>(t.gradient(row, i));
      sum += gradient;
      product += gradient * static_cast<double>(t.normal(row, i));
    }
    T const mean_gradient = static_cast<T>(sum / static_cast<double>(t.columns));
    T const mean_product = static_cast<T>(product / static_cast<double>(t.columns));
    for (std::int64_t i = 0; i < t.columns; ++i)
      t.dx[row * t.columns + i] =
          (t.gradient(row, i) - mean_gradient - t.normal(row, i) * mean_product) * t.inverses[row];
  }
};

template <class T>
struct ColumnGradient {
  Tensors<T> t;

  KOKKOS_FUNCTION void operator()(std::int64_t column) const {
    double of_scale = 0, of_bias = 0;
    for (std::int64_t row = 0; row < t.rows; ++row) {
      auto const of_y = static_cast<double>(t.dy[row * t.columns + column]);
      of_bias += of_y;
      of_scale += of_y * static_cast<double>(t.normal(row, column));
    }
    if (t.dscale != nullptr) t.dscale[column] = static_cast<T>(of_scale);
    if (t.dbias != nullptr) t.dbias[column] = static_cast<T>(of_bias);
  }
};

template <class T>
class NormaliseGradient : public Kernel {
 public:
  explicit NormaliseGradient(Tensors<T> const& tensors) : tensors_(tensors) {}

  void run() override {
    auto const cost = static_cast<double>(2 * tensors_.rows * tensors_.columns);
    launch(tensors_.rows, cost, RowGradient<T>{tensors_});
    if (tensors_.dscale != nullptr || tensors_.dbias != nullptr)
      launch(tensors_.columns, cost, ColumnGradient<T>{tensors_});
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
