// Makes cuDNN's plan of every convolution of programs, and of random ones, for a device by its
// properties, on a machine without one. h100.json are those of an H100 with SXM.
// Usage: convolution_plans PROPERTIES.json PLAN...   prints a line for each program
//        convolution_plans --device                  prints cuDNN's JSON of this machine's device
#include <algorithm>
#include <array>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <random>
#include <set>
#include <span>
#include <string>

#include "kernels/device/device.hpp"
#include "kernels/vendor/cudnn/plan.hpp"
#include "kernels/vendor/cudnn/properties.hpp"
#include "tests/cuda/program_calls.hpp"

namespace lbann::kernels::cudnn {

namespace {

char const* name_of(Tensor result) {
  return result == Tensor::x ? "x" : result == Tensor::kernel ? "kernel" : "y";
}

std::string times(std::int64_t WindowAxis::*field, WindowGeometry const& g) {
  std::string text;
  for (auto const& axis : g.axes) text += (text.empty() ? "" : "x") + std::to_string(axis.*field);
  return text;
}

std::string text_of(Problem const& p) {
  auto const& g = p.geometry;
  return std::string(name_of(p.result)) + " of " + std::string(lbann::name_of(p.type)) +
         (p.tf32 ? " in TF32: " : ": ") + std::to_string(g.samples) + " x " +
         std::to_string(g.channels) + " x " + times(&WindowAxis::from, g) + " to " +
         std::to_string(g.filters) + " x " + times(&WindowAxis::to, g) + ", groups " +
         std::to_string(g.groups) + ", taps " + times(&WindowAxis::taps, g) + ", stride " +
         times(&WindowAxis::stride, g) + ", padding " + times(&WindowAxis::padding, g) +
         ", dilation " + times(&WindowAxis::dilation, g);
}

/// Plans for one device of problems that belong together.
class Plans {
 public:
  explicit Plans(Descriptor const& properties) : properties_(properties) {}

  /// Says so where there is none.
  void add(Problem const& problem) {
    auto const text = text_of(problem);
    if (!seen_.insert(text).second) return;
    auto const plan = Plan::make(problem, properties_);
    if (plan == nullptr) {
      std::printf("no plan: %s\n", text.c_str());
      complete_ = false;
      return;
    }
    ++engines_[plan->engine()];
    workspace_ = std::max(workspace_, plan->workspace_bytes());
  }

  bool are_complete() const { return complete_; }
  bool empty() const { return seen_.empty(); }

  /// `5 products; engines 28, 2 x 70; at most 810832 bytes of workspace`.
  std::string summary() const {
    std::string engines;
    for (auto const& [engine, count] : engines_)
      engines += (engines.empty() ? "" : ", ") + (count == 1 ? "" : std::to_string(count) + " x ") +
                 std::to_string(engine);
    return std::to_string(seen_.size()) + " products; engines " + engines + "; at most " +
           std::to_string(workspace_) + " bytes of workspace";
  }

 private:
  Descriptor const& properties_;
  std::set<std::string> seen_;
  std::map<std::int64_t, int> engines_;
  std::int64_t workspace_ = 0;
  bool complete_ = true;
};

bool is_convolution(Operator const& op) {
  return std::holds_alternative<operators::convolution>(op) ||
         std::holds_alternative<operators::convolution_input_gradient>(op) ||
         std::holds_alternative<operators::convolution_kernel_gradient>(op);
}

/// All convolutions of a program, those of single entries included, which cuBLAS computes.
bool have_plans(std::string const& path, Descriptor const& properties) {
  auto const program = test::program_of(path);
  if (!program) return false;
  Plans plans(properties);
  for (auto const& entry : program->entries)
    for (auto const& instruction : entry.instructions) {
      if (!is_convolution(instruction.op)) continue;
      auto const inputs = test::views_without_memory(*program, instruction.inputs),
                 outputs = test::views_without_memory(*program, instruction.outputs);
      Call call;
      call.op = &instruction.op;
      call.inputs = inputs;
      call.outputs = outputs;
      auto const problem = problem_of(call);
      if (takes(problem.geometry)) plans.add(problem);
    }
  if (!plans.empty())
    std::printf("%s: %s\n", std::filesystem::path(path).stem().c_str(), plans.summary().c_str());
  return plans.are_complete();
}

/// All three products of `count` convolutions of any kind: two axes or three, odd extents and
/// extents of 1, groups, strides, padding and dilation; f32, f64, and 16 bits.
bool random_ones_have_plans(int count, Descriptor const& properties) {
  Plans plans(properties);
  std::mt19937 generator(20);
  auto const any = [&](std::int64_t from, std::int64_t to) {
    return std::uniform_int_distribution<std::int64_t>(from, to)(generator);
  };
  for (int i = 0; i < count; ++i) {
    WindowGeometry g;
    g.samples = any(1, 9);
    g.groups = any(0, 3) == 0 ? any(2, 4) : 1;
    g.channels = g.groups * any(1, 17);
    g.filters = g.groups * any(1, 17);
    for (auto axis = any(0, 2) == 0 ? 0 : 1; axis < 3; ++axis) {
      auto& a = g.axes[axis];
      a.taps = any(1, 5);
      a.stride = any(1, 3);
      a.dilation = any(1, 2);
      a.padding = any(0, 2);
      auto const reach = (a.taps - 1) * a.dilation + 1;
      a.from = any(std::max<std::int64_t>(1, reach - 2 * a.padding), 21);
      a.to = (a.from + 2 * a.padding - reach) / a.stride + 1;
    }
    auto const type = std::array{DataType::f32, DataType::f64, DataType::bf16}[i % 3];
    for (auto const result : {Tensor::y, Tensor::x, Tensor::kernel})
      plans.add(
          {result, g, type, type == DataType::bf16, any(0, 1) == 0 ? 16 : 4 + 4 * (i % 3 == 1)});
  }
  return plans.are_complete();
}

int print_properties_of_this_device() {
  if (auto const started = device::start(0); !started) {
    std::printf("%s\n", started.problem().message.c_str());
    return 1;
  }
  std::printf("%s\n", json_of(device_properties()).c_str());
  return 0;
}

}  // namespace

int run(std::span<char* const> arguments) {
  if (arguments.size() == 2 && std::string(arguments[1]) == "--device")
    return print_properties_of_this_device();
  if (arguments.size() < 3) return 2;
  std::ifstream file(arguments[1]);
  auto const properties = device_properties(std::string{std::istreambuf_iterator<char>(file), {}});
  auto const version = cudnnGetVersion();
  std::printf("cuDNN %zu.%zu.%zu\n", version / 10000, version / 100 % 100, version % 100);
  bool good = random_ones_have_plans(200, properties);
  for (auto* const path : arguments.subspan(2)) good = have_plans(path, properties) && good;
  return good ? 0 : 1;
}

}  // namespace lbann::kernels::cudnn

int main(int count, char** arguments) {
  return lbann::kernels::cudnn::run({arguments, static_cast<std::size_t>(count)});
}
