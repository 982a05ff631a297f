// NVRTC, which is looked for when it is first needed, and the kernels it has made.
#include "kernels/jit/compiler.hpp"

#include <nvrtc.h>

#include <iterator>
#include <mutex>
#include <semaphore>
#include <system_error>
#include <thread>
#include <unordered_map>
#include <vector>

#include "kernels/device/cuda.hpp"
#include "kernels/device/device.hpp"
#include "kernels/device/shared_library.hpp"
#include "kernels/jit/headers.hpp"

namespace lbann::kernels::jit {

namespace {

/// The library's functions, found by name: programs start without it.
struct Library {
  decltype(&nvrtcCreateProgram) create = nullptr;
  decltype(&nvrtcCompileProgram) compile = nullptr;
  decltype(&nvrtcDestroyProgram) destroy = nullptr;
  decltype(&nvrtcGetProgramLogSize) log_size = nullptr;
  decltype(&nvrtcGetProgramLog) log = nullptr;
  decltype(&nvrtcGetCUBINSize) binary_size = nullptr;
  decltype(&nvrtcGetCUBIN) binary = nullptr;

  bool is_there() const { return binary != nullptr; }
};

Library open_library() {
  device::SharedLibrary shared({"libnvrtc.so.13", "libnvrtc.so"});
  Library library;
  shared.find(library.create, "nvrtcCreateProgram");
  shared.find(library.compile, "nvrtcCompileProgram");
  shared.find(library.destroy, "nvrtcDestroyProgram");
  shared.find(library.log_size, "nvrtcGetProgramLogSize");
  shared.find(library.log, "nvrtcGetProgramLog");
  shared.find(library.binary_size, "nvrtcGetCUBINSize");
  shared.find(library.binary, "nvrtcGetCUBIN");
  return shared.is_whole() ? library : Library{};
}

Library const& library() {
  static Library const opened = open_library();
  return opened;
}

/// `sm_90`, of the device of this process.
std::string architecture() {
  int major = 0, minor = 0, device = 0;
  device::check(cudaGetDevice(&device), "cudaGetDevice");
  device::check(cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, device),
                "cudaDeviceGetAttribute");
  device::check(cudaDeviceGetAttribute(&minor, cudaDevAttrComputeCapabilityMinor, device),
                "cudaDeviceGetAttribute");
  return "sm_" + std::to_string(major) + std::to_string(minor);
}

/// A compiler takes tens of megabytes: so many work at the same time.
std::counting_semaphore<> turns(8);

class Compiled final : public Function {
 public:
  Compiled(std::string text, std::string name)
      : text_(std::move(text)), name_(std::move(name)), target_(architecture()) {
    try {
      compiler_ = std::thread([this] {
        turns.acquire();
        code_ = machine_code(text_, target_);
        turns.release();
      });
    } catch (std::system_error const&) {
      // There is no thread to be had: the first launch compiles.
    }
  }
  ~Compiled() override {
    if (compiler_.joinable()) compiler_.join();
  }
  Compiled(Compiled const&) = delete;

  void launch(std::int64_t blocks, int threads, void const* parameter) override {
    if (kernel_ == nullptr) load();
    void* parameters[] = {const_cast<void*>(parameter)};
    device::check(cudaLaunchKernel(
                      reinterpret_cast<void const*>(kernel_), dim3(static_cast<unsigned>(blocks)),
                      dim3(static_cast<unsigned>(threads)), parameters, 0, device::stream()),
                  "cudaLaunchKernel");
  }

 private:
  void load() {
    if (compiler_.joinable())
      compiler_.join();
    else
      code_ = machine_code(text_, target_);
    if (!code_)
      device::fail(
          "NVRTC does not compile a kernel that was written for this experiment, which is an error "
          "of this program: " +
          code_.problem().message);
    // A kernel may be launched for the first time while launches are recorded.
    auto mode = cudaStreamCaptureModeRelaxed;
    device::check(cudaThreadExchangeStreamCaptureMode(&mode),
                  "cudaThreadExchangeStreamCaptureMode");
    cudaLibrary_t loaded = nullptr;
    device::check(cudaLibraryLoadData(&loaded, code_.value().data(), nullptr, nullptr, 0, nullptr,
                                      nullptr, 0),
                  "cudaLibraryLoadData");
    device::check(cudaLibraryGetKernel(&kernel_, loaded, name_.c_str()), "cudaLibraryGetKernel");
    device::check(cudaThreadExchangeStreamCaptureMode(&mode),
                  "cudaThreadExchangeStreamCaptureMode");
  }

  std::string text_, name_, target_;
  Result<std::vector<char>> code_ = std::vector<char>{};
  std::thread compiler_;
  cudaKernel_t kernel_ = nullptr;
};

}  // namespace

Result<std::vector<char>> machine_code(std::string const& text, std::string const& architecture) {
  std::vector<char const*> names, texts;
  for (auto const& header : embedded_headers()) {
    names.push_back(header.name);
    texts.push_back(header.text);
  }
  nvrtcProgram program = nullptr;
  auto const& nvrtc = library();
  auto status = nvrtc.create(&program, text.c_str(), "kernel.cu", static_cast<int>(names.size()),
                             texts.data(), names.data());
  // As kernels compiled ahead of time: no product is contracted with a sum.
  auto const target = "-arch=" + architecture;
  char const* const options[] = {target.c_str(), "-std=c++20", "-fmad=false", "-default-device"};
  if (status == NVRTC_SUCCESS)
    status = nvrtc.compile(program, static_cast<int>(std::size(options)), options);
  std::size_t bytes = 0;
  if (status != NVRTC_SUCCESS) {
    nvrtc.log_size(program, &bytes);
    std::string log(bytes, ' ');
    nvrtc.log(program, log.data());
    return Problem{log + text};
  }
  nvrtc.binary_size(program, &bytes);
  std::vector<char> code(bytes);
  nvrtc.binary(program, code.data());
  nvrtc.destroy(&program);
  return code;
}

bool is_available() { return library().is_there(); }

std::shared_ptr<Function> compile(std::string const& text, std::string const& name) {
  if (!is_available()) return nullptr;
  static std::mutex mutex;
  static std::unordered_map<std::string, std::shared_ptr<Function>> compiled;
  std::lock_guard const lock(mutex);
  auto& function = compiled[text];
  if (function == nullptr) function = std::make_shared<Compiled>(text, name);
  return function;
}

}  // namespace lbann::kernels::jit
