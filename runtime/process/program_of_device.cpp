// Replaces the process: a build has the kernels of one device.
#include "runtime/process/program_of_device.hpp"

#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <system_error>

#include "kernels/device/device.hpp"

namespace lbann::runtime {

namespace {

namespace fs = std::filesystem;

fs::path beside_this_program(char const* name) {
  std::error_code error;
  return fs::read_symlink("/proc/self/exe", error).parent_path() / name;
}

/// Whether NVIDIA's kernel driver has made a device of its own here.
bool has_driver() { return ::access("/dev/nvidiactl", R_OK | W_OK) == 0; }

Problem become(fs::path const& program, char** arguments) {
  ::execv(program.c_str(), arguments);
  return {program.string() +
          " cannot be executed: " + std::error_code(errno, std::generic_category()).message()};
}

}  // namespace

Result<Success> become_program_of(DeviceChoice wanted, char** arguments) {
  auto const kind = device::kind();
  bool const cpu = wanted == DeviceChoice::cpu, cuda = wanted == DeviceChoice::cuda;
  if (kind == device::Kind::emulated) {
    if (!cuda) return Success{};
    return Problem{"--device cuda: this program was built for the emulated device"};
  }
  if (kind == device::Kind::cuda) {
    auto const program = beside_this_program("lbann-run");
    if (!cpu) return Success{};
    if (::access(program.c_str(), X_OK) == 0) return become(program, arguments);
    return Problem{"--device cpu: there is no " + program.string() +
                   "; build it with -Ddevice=host"};
  }
  auto const program = beside_this_program("lbann-run-cuda");
  bool const there = ::access(program.c_str(), X_OK) == 0;
  if (cuda && !there)
    return Problem{"--device cuda: there is no " + program.string() +
                   "; build it with -Ddevice=cuda and put it there"};
  if (cuda || (!cpu && there && has_driver())) return become(program, arguments);
  return Success{};
}

}  // namespace lbann::runtime
