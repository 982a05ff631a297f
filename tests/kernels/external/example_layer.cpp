// A library with layers of a user, as include/lbann/external_layer.h asks for them. Built by
//
//     c++ -shared -fPIC -I include -o libexample_layer.so tests/kernels/external/example_layer.cpp
#include <lbann/external_layer.h>

namespace {

int64_t elements_of(lbann_tensor const& tensor) {
  int64_t count = 1;
  for (int32_t axis = 0; axis < tensor.rank; ++axis) count *= tensor.extents[axis];
  return count;
}

template <class T>
T* data(lbann_tensor const& tensor) {
  return static_cast<T*>(tensor.data);
}

/// The product and the sum of two inputs, entry by entry.
template <class T>
void forward(void*, lbann_tensor const* x, lbann_tensor const* y) {
  for (int64_t i = 0; i < elements_of(x[0]); ++i) {
    data<T>(y[0])[i] = data<T>(x[0])[i] * data<T>(x[1])[i];
    data<T>(y[1])[i] = data<T>(x[0])[i] + data<T>(x[1])[i];
  }
}

template <class T>
void backward(void*, lbann_tensor const* x, lbann_tensor const*, lbann_tensor const* dy,
              lbann_tensor const* dx) {
  for (int64_t i = 0; i < elements_of(x[0]); ++i) {
    auto const of_product = data<T>(dy[0])[i], of_sum = data<T>(dy[1])[i];
    data<T>(dx[0])[i] = of_product * data<T>(x[1])[i] + of_sum;
    data<T>(dx[1])[i] = of_product * data<T>(x[0])[i] + of_sum;
  }
}

template <class T>
void fill(lbann_external_layer* layer) {
  layer->version = LBANN_EXTERNAL_LAYER_VERSION;
  layer->forward = forward<T>;
  layer->backward = backward<T>;
}

}  // namespace

extern "C" {

char const* setup_product_and_sum(lbann_tensor const* inputs, int32_t input_count,
                                  lbann_tensor const* outputs, int32_t output_count,
                                  lbann_external_layer* layer) {
  if (input_count != 2 || output_count != 2) return "it has two inputs and two outputs";
  for (int32_t i = 0; i < 2; ++i)
    if (elements_of(inputs[i]) != elements_of(inputs[0]) ||
        elements_of(outputs[i]) != elements_of(inputs[0]))
      return "its inputs and outputs have equal sizes";
  if (inputs[0].memory != LBANN_HOST) return "it works on the CPU only";
  if (inputs[0].type == LBANN_FLOAT64)
    fill<double>(layer);
  else
    fill<float>(layer);
  return nullptr;
}

/// The same without a gradient.
char const* setup_product_alone(lbann_tensor const* inputs, int32_t input_count,
                                lbann_tensor const* outputs, int32_t output_count,
                                lbann_external_layer* layer) {
  auto const why = setup_product_and_sum(inputs, input_count, outputs, output_count, layer);
  layer->backward = nullptr;
  return why;
}

/// The same by a later header.
char const* setup_product_of_later(lbann_tensor const* inputs, int32_t input_count,
                                   lbann_tensor const* outputs, int32_t output_count,
                                   lbann_external_layer* layer) {
  auto const why = setup_product_and_sum(inputs, input_count, outputs, output_count, layer);
  layer->version = LBANN_EXTERNAL_LAYER_VERSION + 1;
  return why;
}

}  // extern "C"
