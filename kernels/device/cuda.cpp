// A GPU by CUDA's runtime: one stream, on which everything is queued.
#include "kernels/device/cuda.hpp"

#include <string>

#include "kernels/device/device.hpp"

namespace lbann::device {

namespace {

/// Kernels are compiled for this major version of the architecture.
constexpr int least_major = 9;

cudaStream_t chosen_stream = nullptr;
int chosen = 0;

std::string version(int number) {
  return std::to_string(number / 1000) + '.' + std::to_string(number % 1000 / 10);
}

Problem no_device(std::string const& why) {
  return {"no CUDA device can be used: " + why + "; --device cpu trains without one"};
}

class CudaGraph final : public Graph {
 public:
  explicit CudaGraph(cudaGraph_t graph) {
    check(cudaGraphInstantiate(&executable_, graph, 0), "cudaGraphInstantiate");
    check(cudaGraphDestroy(graph), "cudaGraphDestroy");
  }
  ~CudaGraph() override { cudaGraphExecDestroy(executable_); }
  CudaGraph(CudaGraph const&) = delete;
  void launch() override { check(cudaGraphLaunch(executable_, chosen_stream), "cudaGraphLaunch"); }

 private:
  cudaGraphExec_t executable_ = nullptr;
};

void copy(void* to, void const* from, std::size_t bytes, cudaMemcpyKind direction) {
  if (bytes > 0)
    check(cudaMemcpyAsync(to, from, bytes, direction, chosen_stream), "cudaMemcpyAsync");
}

}  // namespace

cudaStream_t stream() { return chosen_stream; }

void check(cudaError_t status, char const* call) {
  if (status == cudaSuccess) return;
  fail("the CUDA device failed in " + std::string(call) + ": " + cudaGetErrorString(status) + " (" +
       cudaGetErrorName(status) + ")");
}

Kind kind() { return Kind::cuda; }

Result<Success> start(std::int64_t process_on_node) {
  int count = 0;
  if (auto const status = cudaGetDeviceCount(&count); status != cudaSuccess)
    return no_device(cudaGetErrorString(status));
  if (count == 0) return no_device("there is none");
  chosen = static_cast<int>(process_on_node % count);
  cudaDeviceProp properties;
  if (auto const status = cudaGetDeviceProperties(&properties, chosen); status != cudaSuccess)
    return no_device(cudaGetErrorString(status));
  if (properties.major < least_major)
    return no_device(std::string(properties.name) + " has compute capability " +
                     std::to_string(properties.major) + '.' + std::to_string(properties.minor) +
                     ", kernels need at least 9.0");
  auto status = cudaSetDevice(chosen);
  if (status == cudaSuccess)
    status = cudaStreamCreateWithFlags(&chosen_stream, cudaStreamNonBlocking);
  if (status != cudaSuccess) return no_device(cudaGetErrorString(status));
  return Success{};
}

std::string description() {
  cudaDeviceProp properties;
  int runtime = 0, driver = 0;
  check(cudaGetDeviceProperties(&properties, chosen), "cudaGetDeviceProperties");
  check(cudaRuntimeGetVersion(&runtime), "cudaRuntimeGetVersion");
  check(cudaDriverGetVersion(&driver), "cudaDriverGetVersion");
  auto const gigabytes = static_cast<double>(properties.totalGlobalMem) / 1e9;
  auto text = std::to_string(gigabytes);
  return std::string(properties.name) + ", " + text.substr(0, text.find('.') + 2) + " GB, CUDA " +
         version(runtime) + ", driver " + version(driver);
}

std::int64_t free_bytes() {
  std::size_t free = 0, total = 0;
  check(cudaMemGetInfo(&free, &total), "cudaMemGetInfo");
  return static_cast<std::int64_t>(free);
}

std::int64_t concurrency() {
  static std::int64_t const threads = [] {
    int processors = 0, each = 0;
    check(cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, chosen),
          "cudaDeviceGetAttribute");
    check(cudaDeviceGetAttribute(&each, cudaDevAttrMaxThreadsPerMultiProcessor, chosen),
          "cudaDeviceGetAttribute");
    return static_cast<std::int64_t>(processors) * each;
  }();
  return threads;
}

void Release::operator()(std::byte* memory) const { cudaFree(memory); }

Memory allocate(std::int64_t bytes) {
  void* memory = nullptr;
  if (cudaMalloc(&memory, static_cast<std::size_t>(bytes)) != cudaSuccess) {
    cudaGetLastError();  // the caller answers for it
    return nullptr;
  }
  Memory owned(static_cast<std::byte*>(memory));
  clear(memory, static_cast<std::size_t>(bytes));
  return owned;
}

void Unpin::operator()(std::byte* memory) const { cudaFreeHost(memory); }

Pinned allocate_pinned(std::int64_t bytes) {
  void* memory = nullptr;
  if (cudaMallocHost(&memory, static_cast<std::size_t>(bytes)) != cudaSuccess) {
    cudaGetLastError();
    return nullptr;
  }
  std::fill_n(static_cast<std::byte*>(memory), bytes, std::byte{0});
  return Pinned(static_cast<std::byte*>(memory));
}

void copy_to_device(void* to, void const* from, std::size_t bytes) {
  copy(to, from, bytes, cudaMemcpyHostToDevice);
}
void copy_to_host(void* to, void const* from, std::size_t bytes) {
  copy(to, from, bytes, cudaMemcpyDeviceToHost);
}
void copy_on_device(void* to, void const* from, std::size_t bytes) {
  copy(to, from, bytes, cudaMemcpyDeviceToDevice);
}

void clear(void* memory, std::size_t bytes) {
  if (bytes > 0) check(cudaMemsetAsync(memory, 0, bytes, chosen_stream), "cudaMemsetAsync");
}

void synchronize() { check(cudaStreamSynchronize(chosen_stream), "cudaStreamSynchronize"); }
bool is_done() {
  auto const status = cudaStreamQuery(chosen_stream);
  if (status == cudaErrorNotReady) return false;
  check(status, "cudaStreamQuery");
  return true;
}

void begin_recording() {
  check(cudaStreamBeginCapture(chosen_stream, cudaStreamCaptureModeThreadLocal),
        "cudaStreamBeginCapture");
}

std::unique_ptr<Graph> end_recording() {
  cudaGraph_t graph = nullptr;
  check(cudaStreamEndCapture(chosen_stream, &graph), "cudaStreamEndCapture");
  return std::make_unique<CudaGraph>(graph);
}

}  // namespace lbann::device
