// A checkpoint of 1 GB of state: how long a step waits for it beside a copy of memory, and how long
// reading it takes beside reading the file. Alternating rounds; the medians of their ratios.
//
//   checkpoint_benchmark [FOLDER]    where the checkpoints are written (the working directory)
#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <functional>

#include "runtime/checkpoints/checkpoint_folder.hpp"
#include "runtime/checkpoints/checkpoint_writer.hpp"
#include "tests/runtime/regression.hpp"

namespace {

using namespace lbann;
using namespace lbann::runtime;
namespace fs = std::filesystem;

constexpr std::int64_t arrays_count = 64;
constexpr std::size_t bytes_of_array = std::size_t{1} << 24;
constexpr int rounds = 7;

double seconds_of(std::function<void()> const& work) {
  auto const begin = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

double median(std::vector<double> values) {
  std::ranges::sort(values);
  return values[values.size() / 2];
}

void require(bool good, std::string const& what) {
  if (good) return;
  std::fprintf(stderr, "%s\n", what.c_str());
  std::exit(1);
}

struct State {
  std::vector<std::byte> memory = std::vector<std::byte>(arrays_count * bytes_of_array);
  std::vector<StateArray> arrays;

  explicit State(std::byte value) {
    std::ranges::fill(memory, value);
    for (std::size_t i = 0; i < arrays_count; ++i)
      arrays.push_back({"array " + std::to_string(i),
                        DataType::f32,
                        {bytes_of_array / 4},
                        static_cast<std::int64_t>(i * bytes_of_array),
                        std::span(memory).subspan(i * bytes_of_array, bytes_of_array)});
  }
};

/// Reads a file in pieces as large as those of checkpoints.
void read_file(fs::path const& path, std::vector<std::byte>& to) {
  int const file = ::open(path.c_str(), O_RDONLY);
  require(file >= 0, path.string() + ": cannot be read");
  std::size_t at = 0;
  for (ssize_t got = 1; got > 0; at += static_cast<std::size_t>(got))
    got =
        ::read(file, to.data() + at, std::min<std::size_t>(checkpoint_chunk_bytes, to.size() - at));
  ::close(file);
}

}  // namespace

int main(int argc, char** argv) {
  fs::path const top = fs::absolute(argc > 1 ? argv[1] : ".") / "checkpoint_benchmark";
  fs::create_directories(top);
  { std::ofstream(top / "plan.bin") << "the plan"; }
  auto const plan = test::regression_plan();
  auto const executor = Executor::create(plan, 8, kernels::Selection::best);
  require(executor.good(), "no executor");
  State state(std::byte{1});
  std::vector<std::byte> copy(state.memory.size());
  CheckpointWriter writer(plan, *executor.value(), nullptr,
                          {top / "checkpoints", top / "plan.bin", {}}, {1, 0});
  std::vector<double> stalls, copies, stall_ratios;
  Result<fs::path> written = fs::path();
  // The first one makes the memory of the copy.
  for (int i = 0; i <= rounds; ++i) {
    Manifest manifest;
    manifest.position.steps = i + 1;
    Result<Success> begun = Success{};
    auto const copied =
        seconds_of([&] { std::memcpy(copy.data(), state.memory.data(), copy.size()); });
    auto const stalled = seconds_of([&] { begun = writer.begin(manifest, state.arrays); });
    require(begun.good(), "a checkpoint cannot be begun");
    written = writer.finish();
    require(written.good(), "a checkpoint cannot be written");
    if (i == 0) continue;
    stalls.push_back(stalled);
    copies.push_back(copied);
    stall_ratios.push_back(stalled / copied);
  }
  std::printf("stall of a step %.3f s, copy of memory %.3f s: ratio %.2f (at most 1.2)\n",
              median(stalls), median(copies), median(stall_ratios));

  auto const manifest = read_manifest(written.value());
  require(manifest.good(), "the manifest cannot be read");
  std::vector<double> loads, reads, load_ratios;
  for (int i = 0; i < rounds; ++i) {
    auto const read = seconds_of([&] { read_file(written.value() / state_file_name, copy); });
    Result<Success> loaded = Success{};
    auto const load =
        seconds_of([&] { loaded = load_state(written.value(), manifest.value(), state.arrays); });
    require(loaded.good(), "the state cannot be loaded");
    loads.push_back(load);
    reads.push_back(read);
    load_ratios.push_back(load / read);
  }
  std::printf("loading %.3f s, reading the file from memory %.3f s: ratio %.2f (at most 1.3)\n",
              median(loads), median(reads), median(load_ratios));
  fs::remove_all(top);
}
