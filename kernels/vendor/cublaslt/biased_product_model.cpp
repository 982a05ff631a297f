// What cuBLASLt computes, for the emulated device: the product by the model of cuBLAS, and a bias
// for each of its rows.
#include "kernels/device/emulated.hpp"
#include "kernels/vendor/cublaslt/biased_product.hpp"

namespace lbann::kernels::cublaslt {

namespace {

template <class T>
class Product : public Kernel {
 public:
  explicit Product(BiasedProduct<T> const& of) : of_(of) {}

  void run() override {
    cublas::queue(of_.gemm, of_.a, of_.b, of_.product);
    device::enqueue([of = of_] {
      for (int j = 0; j < of.gemm.columns; ++j)
        for (int i = 0; i < of.gemm.rows; ++i)
          of.product[std::int64_t{j} * of.gemm.pitch + i] += of.bias[i];
    });
  }

 private:
  BiasedProduct<T> of_;
};

}  // namespace

std::unique_ptr<Kernel> bind(BiasedProduct<float> const& product) {
  return std::make_unique<Product<float>>(product);
}
std::unique_ptr<Kernel> bind(BiasedProduct<BFloat16> const& product) {
  return std::make_unique<Product<BFloat16>>(product);
}
std::unique_ptr<Kernel> bind(BiasedProduct<Float16> const& product) {
  return std::make_unique<Product<Float16>>(product);
}

}  // namespace lbann::kernels::cublaslt
