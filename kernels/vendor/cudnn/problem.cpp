// Descriptors of convolutions: of two spatial axes where one is trivial, else of three.
#include "kernels/vendor/cudnn/problem.hpp"

#include <limits>
#include <string>
#include <vector>

#include "kernels/device/cuda.hpp"

namespace lbann::kernels::cudnn {

namespace {

bool is_trivial(WindowAxis const& axis) {
  return axis.from == 1 && axis.to == 1 && axis.taps == 1 && axis.padding == 0;
}

/// Spatial axes, of which cuDNN knows two or three.
int first_axis(WindowGeometry const& geometry) { return is_trivial(geometry.axes[0]) ? 1 : 0; }

std::vector<int> dims_of(std::int64_t outer, std::int64_t inner, WindowGeometry const& geometry,
                         std::int64_t WindowAxis::*extent) {
  std::vector<int> dims = {static_cast<int>(outer), static_cast<int>(inner)};
  for (int i = first_axis(geometry); i < 3; ++i)
    dims.push_back(static_cast<int>(geometry.axes[i].*extent));
  return dims;
}

std::vector<int> along_axes(WindowGeometry const& geometry, std::int64_t WindowAxis::*field) {
  std::vector<int> values;
  for (int i = first_axis(geometry); i < 3; ++i)
    values.push_back(static_cast<int>(geometry.axes[i].*field));
  return values;
}

cudnnTensorDescriptor_t tensor(cudnnDataType_t type, std::vector<int> const& dims) {
  std::vector<int> strides(dims.size(), 1);
  for (auto i = dims.size() - 1; i-- > 0;) strides[i] = strides[i + 1] * dims[i + 1];
  cudnnTensorDescriptor_t descriptor = nullptr;
  check(cudnnCreateTensorDescriptor(&descriptor), "cudnnCreateTensorDescriptor");
  check(cudnnSetTensorNdDescriptor(descriptor, type, static_cast<int>(dims.size()), dims.data(),
                                   strides.data()),
        "cudnnSetTensorNdDescriptor");
  return descriptor;
}

}  // namespace

bool takes(WindowGeometry const& geometry) {
  constexpr std::int64_t most = std::numeric_limits<int>::max();
  auto const fits = [&](std::int64_t elements) { return elements > 0 && elements <= most; };
  return fits(geometry.samples * geometry.channels * geometry.entries()) &&
         fits(geometry.samples * geometry.filters * geometry.positions()) &&
         fits(geometry.filters * geometry.depth() * geometry.taps());
}

void check(cudnnStatus_t status, char const* call) {
  if (status != CUDNN_STATUS_SUCCESS)
    device::fail("the CUDA device failed in " + std::string(call) + ": " +
                 cudnnGetErrorString(status));
}

cudnnHandle_t handle() {
  static cudnnHandle_t const opened = [] {
    cudnnHandle_t fresh = nullptr;
    check(cudnnCreate(&fresh), "cudnnCreate");
    check(cudnnSetStream(fresh, device::stream()), "cudnnSetStream");
    return fresh;
  }();
  return opened;
}

Problem::Problem(WindowGeometry const& geometry, DataType type)
    : tf32(device::tf32_is_allowed() || is_sixteen_bit(type)) {
  auto const number = type == DataType::f64 ? CUDNN_DATA_DOUBLE : CUDNN_DATA_FLOAT;
  x = tensor(number, dims_of(geometry.samples, geometry.channels, geometry, &WindowAxis::from));
  y = tensor(number, dims_of(geometry.samples, geometry.filters, geometry, &WindowAxis::to));
  auto const taps = dims_of(geometry.filters, geometry.depth(), geometry, &WindowAxis::taps);
  check(cudnnCreateFilterDescriptor(&kernel), "cudnnCreateFilterDescriptor");
  check(cudnnSetFilterNdDescriptor(kernel, number, CUDNN_TENSOR_NCHW, static_cast<int>(taps.size()),
                                   taps.data()),
        "cudnnSetFilterNdDescriptor");
  auto const padding = along_axes(geometry, &WindowAxis::padding),
             stride = along_axes(geometry, &WindowAxis::stride),
             dilation = along_axes(geometry, &WindowAxis::dilation);
  check(cudnnCreateConvolutionDescriptor(&convolution), "cudnnCreateConvolutionDescriptor");
  check(cudnnSetConvolutionNdDescriptor(convolution, static_cast<int>(padding.size()),
                                        padding.data(), stride.data(), dilation.data(),
                                        CUDNN_CROSS_CORRELATION, number),
        "cudnnSetConvolutionNdDescriptor");
  check(cudnnSetConvolutionGroupCount(convolution, static_cast<int>(geometry.groups)),
        "cudnnSetConvolutionGroupCount");
}

Problem::~Problem() {
  cudnnDestroyTensorDescriptor(x);
  cudnnDestroyTensorDescriptor(y);
  cudnnDestroyFilterDescriptor(kernel);
  cudnnDestroyConvolutionDescriptor(convolution);
}

}  // namespace lbann::kernels::cudnn
