// Graphs of one operation, and the choice of its engine.
#include "kernels/vendor/cudnn/plan.hpp"

#include <algorithm>
#include <array>

#include "kernels/device/device.hpp"
#include "kernels/vendor/cudnn/properties.hpp"

namespace lbann::kernels::cudnn {

namespace {

bool is_trivial(WindowAxis const& axis) {
  return axis.from == 1 && axis.to == 1 && axis.taps == 1 && axis.padding == 0;
}

/// Spatial axes, of which cuDNN knows two or three.
int first_axis(WindowGeometry const& geometry) { return is_trivial(geometry.axes[0]) ? 1 : 0; }

std::vector<std::int64_t> along_axes(WindowGeometry const& geometry,
                                     std::int64_t WindowAxis::*field) {
  std::vector<std::int64_t> values;
  for (int i = first_axis(geometry); i < 3; ++i) values.push_back(geometry.axes[i].*field);
  return values;
}

cudnnDataType_t type_of(Problem const& problem) {
  return problem.type == DataType::f64 ? CUDNN_DATA_DOUBLE : CUDNN_DATA_FLOAT;
}

/// One in C order, [outer, inner, extents...].
Descriptor tensor(Tensor id, Problem const& problem, std::int64_t outer, std::int64_t inner,
                  std::vector<std::int64_t> extents) {
  extents.insert(extents.begin(), {outer, inner});
  std::vector<std::int64_t> strides(extents.size(), 1);
  for (auto i = extents.size() - 1; i-- > 0;) strides[i] = strides[i + 1] * extents[i + 1];
  Descriptor descriptor(CUDNN_BACKEND_TENSOR_DESCRIPTOR);
  return descriptor.set(CUDNN_ATTR_TENSOR_DATA_TYPE, type_of(problem))
      .set(CUDNN_ATTR_TENSOR_DIMENSIONS, std::span<std::int64_t const>(extents))
      .set(CUDNN_ATTR_TENSOR_STRIDES, std::span<std::int64_t const>(strides))
      .set(CUDNN_ATTR_TENSOR_UNIQUE_ID, static_cast<std::int64_t>(id))
      .set(CUDNN_ATTR_TENSOR_BYTE_ALIGNMENT, problem.alignment)
      .finalized();
}

Descriptor window(WindowGeometry const& geometry, cudnnDataType_t type) {
  auto const padding = along_axes(geometry, &WindowAxis::padding),
             stride = along_axes(geometry, &WindowAxis::stride),
             dilation = along_axes(geometry, &WindowAxis::dilation);
  Descriptor descriptor(CUDNN_BACKEND_CONVOLUTION_DESCRIPTOR);
  return descriptor.set(CUDNN_ATTR_CONVOLUTION_COMP_TYPE, type)
      .set(CUDNN_ATTR_CONVOLUTION_CONV_MODE, CUDNN_CROSS_CORRELATION)
      .set(CUDNN_ATTR_CONVOLUTION_SPATIAL_DIMS, static_cast<std::int64_t>(padding.size()))
      .set(CUDNN_ATTR_CONVOLUTION_DILATIONS, std::span<std::int64_t const>(dilation))
      .set(CUDNN_ATTR_CONVOLUTION_FILTER_STRIDES, std::span<std::int64_t const>(stride))
      .set(CUDNN_ATTR_CONVOLUTION_PRE_PADDINGS, std::span<std::int64_t const>(padding))
      .set(CUDNN_ATTR_CONVOLUTION_POST_PADDINGS, std::span<std::int64_t const>(padding))
      .finalized();
}

/// What cuDNN calls an operation and its attributes.
struct Names {
  cudnnBackendDescriptorType_t operation;
  cudnnBackendAttributeName_t x, kernel, y, window, alpha, beta;
};

constexpr Names names_of(Tensor result) {
  switch (result) {
    case Tensor::x:
      return {CUDNN_BACKEND_OPERATION_CONVOLUTION_BACKWARD_DATA_DESCRIPTOR,
              CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_DATA_DX,
              CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_DATA_W,
              CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_DATA_DY,
              CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_DATA_CONV_DESC,
              CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_DATA_ALPHA,
              CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_DATA_BETA};
    case Tensor::kernel:
      return {CUDNN_BACKEND_OPERATION_CONVOLUTION_BACKWARD_FILTER_DESCRIPTOR,
              CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_FILTER_X,
              CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_FILTER_DW,
              CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_FILTER_DY,
              CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_FILTER_CONV_DESC,
              CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_FILTER_ALPHA,
              CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_FILTER_BETA};
    case Tensor::y:
      break;
  }
  return {CUDNN_BACKEND_OPERATION_CONVOLUTION_FORWARD_DESCRIPTOR,
          CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_X,
          CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_W,
          CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_Y,
          CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_CONV_DESC,
          CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_ALPHA,
          CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_BETA};
}

Descriptor operation(Problem const& problem) {
  auto const& g = problem.geometry;
  auto const names = names_of(problem.result);
  Descriptor descriptor(names.operation);
  descriptor
      .set(names.x,
           tensor(Tensor::x, problem, g.samples, g.channels, along_axes(g, &WindowAxis::from)))
      .set(names.kernel,
           tensor(Tensor::kernel, problem, g.filters, g.depth(), along_axes(g, &WindowAxis::taps)))
      .set(names.y,
           tensor(Tensor::y, problem, g.samples, g.filters, along_axes(g, &WindowAxis::to)))
      .set(names.window, window(g, type_of(problem)));
  if (problem.type == DataType::f64)
    descriptor.set(names.alpha, 1.0).set(names.beta, 0.0);
  else
    descriptor.set(names.alpha, 1.0F).set(names.beta, 0.0F);
  return descriptor.finalized();
}

/// Engines for `graph` on a device, the fastest first by cuDNN's heuristics; after them those that
/// it keeps for what these do not take.
std::vector<Descriptor> engines(Descriptor const& graph, Descriptor const& properties) {
  std::vector<Descriptor> all;
  for (auto const mode : {CUDNN_HEUR_MODE_A, CUDNN_HEUR_MODE_FALLBACK}) {
    Descriptor heuristics(CUDNN_BACKEND_ENGINEHEUR_DESCRIPTOR);
    heuristics.set(CUDNN_ATTR_ENGINEHEUR_OPERATION_GRAPH, graph)
        .set(CUDNN_ATTR_ENGINEHEUR_MODE, mode)
        .set(CUDNN_ATTR_ENGINEHEUR_DEVICEPROP, properties);
    if (!heuristics.can_finalize()) continue;
    for (auto& one :
         heuristics.parts(CUDNN_ATTR_ENGINEHEUR_RESULTS, CUDNN_BACKEND_ENGINECFG_DESCRIPTOR))
      all.push_back(std::move(one));
  }
  return all;
}

/// Whether the engine with these notes gives the same bits each time, of factors that are not
/// rounded to fewer bits than TF32 has, or to none where it is not allowed.
bool is_exact(std::vector<cudnnBackendNumericalNote_t> const& notes, bool tf32) {
  return std::ranges::none_of(notes, [&](cudnnBackendNumericalNote_t note) {
    return note == CUDNN_NUMERICAL_NOTE_NONDETERMINISTIC ||
           note == CUDNN_NUMERICAL_NOTE_DOWN_CONVERT_INPUTS ||
           note == CUDNN_NUMERICAL_NOTE_REDUCED_PRECISION_REDUCTION ||
           (note == CUDNN_NUMERICAL_NOTE_TENSOR_CORE && !tf32);
  });
}

}  // namespace

std::unique_ptr<Plan> Plan::make(Problem const& problem, Descriptor const& properties) {
  Descriptor graph(CUDNN_BACKEND_OPERATIONGRAPH_DESCRIPTOR);
  graph.set(CUDNN_ATTR_OPERATIONGRAPH_OPS, operation(problem));
  if (!graph.can_finalize()) return nullptr;
  for (auto& configuration : engines(graph, properties)) {
    auto const engine = std::move(
        configuration.parts(CUDNN_ATTR_ENGINECFG_ENGINE, CUDNN_BACKEND_ENGINE_DESCRIPTOR).front());
    if (!is_exact(engine.notes(), problem.tf32 || problem.type == DataType::f64)) continue;
    Descriptor plan(CUDNN_BACKEND_EXECUTION_PLAN_DESCRIPTOR);
    plan.set(CUDNN_ATTR_EXECUTION_PLAN_ENGINE_CONFIG, configuration)
        .set(CUDNN_ATTR_EXECUTION_PLAN_DEVICEPROP, properties);
    if (!plan.can_finalize()) continue;
    if (plan.number(CUDNN_ATTR_EXECUTION_PLAN_WORKSPACE_SIZE) > most_workspace) continue;
    return std::unique_ptr<Plan>(new Plan(std::move(configuration), std::move(plan),
                                          engine.number(CUDNN_ATTR_ENGINE_GLOBAL_INDEX)));
  }
  return nullptr;
}

std::unique_ptr<Plan> Plan::for_device(Problem const& problem) {
  // Never destroyed: at the end of the process the driver may be gone before it.
  static auto const& properties = *new Descriptor(device_properties());
  auto plan = make(problem, properties);
  if (plan == nullptr)
    device::fail("the CUDA device failed: cuDNN has no engine for a convolution of this shape");
  return plan;
}

std::int64_t Plan::workspace_bytes() const {
  return plan_.number(CUDNN_ATTR_EXECUTION_PLAN_WORKSPACE_SIZE);
}

void Plan::bind(void const* x, void const* kernel, void const* y, void* workspace) {
  std::array<std::int64_t, tensors> const ids = {static_cast<std::int64_t>(Tensor::x),
                                                 static_cast<std::int64_t>(Tensor::kernel),
                                                 static_cast<std::int64_t>(Tensor::y)};
  // The backend takes pointers to what it reads and what it writes alike.
  std::array<void*, tensors> const memory = {const_cast<void*>(x), const_cast<void*>(kernel),
                                             const_cast<void*>(y)};
  std::array<void*, 1> const scratch = {workspace};
  pointers_ = Descriptor(CUDNN_BACKEND_VARIANT_PACK_DESCRIPTOR)
                  .set(CUDNN_ATTR_VARIANT_PACK_UNIQUE_IDS, std::span<std::int64_t const>(ids))
                  .set(CUDNN_ATTR_VARIANT_PACK_DATA_POINTERS, std::span<void* const>(memory))
                  .set(CUDNN_ATTR_VARIANT_PACK_WORKSPACE, std::span<void* const>(scratch))
                  .finalized();
}

void Plan::run() const {
  check(cudnnBackendExecute(handle(), plan_.get(), pointers_.get()), "cudnnBackendExecute");
}

}  // namespace lbann::kernels::cudnn
