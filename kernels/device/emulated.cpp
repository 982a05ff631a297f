// A device emulated on the host, on which faults that show on a GPU by chance fail in every run:
// its memory is inaccessible except while queued work runs; nothing runs before the host waits;
// sources of copies are read then, and targets hold NaN until then.
#include "kernels/device/emulated.hpp"

#include <sys/mman.h>
#include <unistd.h>

#include <charconv>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include "kernels/device/aligned.hpp"
#include "kernels/device/device.hpp"

namespace lbann::device {

namespace {

/// What the host finds in place of a copy that it has not waited for: as f32 and f64 a NaN.
constexpr int poison = 0xFF;

/// All mappings, so that they can be opened and closed together. Allocations come from several
/// threads, work from one.
class DeviceMemory {
 public:
  std::byte* allocate(std::int64_t bytes) {
    auto const length = whole_pages(bytes);
    void* const mapping =
        ::mmap(nullptr, length, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (mapping == MAP_FAILED) return nullptr;
    std::lock_guard const lock(mutex_);
    mappings_.emplace_back(static_cast<std::byte*>(mapping), length);
    return mappings_.back().first;
  }

  void release(std::byte* memory) {
    std::lock_guard const lock(mutex_);
    for (auto& mapping : mappings_)
      if (mapping.first == memory) {
        ::munmap(memory, mapping.second);
        mapping = mappings_.back();
        return mappings_.pop_back();
      }
  }

  void protect(int protection) {
    std::lock_guard const lock(mutex_);
    for (auto const& [memory, length] : mappings_) ::mprotect(memory, length, protection);
  }

 private:
  static std::size_t whole_pages(std::int64_t bytes) {
    auto const page = static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
    return (static_cast<std::size_t>(bytes) + page - 1) / page * page;
  }

  std::mutex mutex_;
  std::vector<std::pair<std::byte*, std::size_t>> mappings_;
};

DeviceMemory& memory() {
  static DeviceMemory all;
  return all;
}

struct Step {
  std::function<void()> run;
  std::function<bool()> ready;  ///< null: always
};

/// What runs at the next wait, or whenever a graph is launched.
struct Work {
  std::vector<Step> steps;
  std::vector<std::pair<void const*, std::size_t>> sources;  ///< of copies from the host
  std::vector<std::pair<void*, std::size_t>> results;        ///< where copies to the host go

  /// But for what a copy queued before is still to read: the stream orders the two.
  void poison_results() const {
    for (auto const& [memory, bytes] : results)
      if (!is_source(memory, bytes)) std::memset(memory, poison, bytes);
  }

  bool is_source(void const* memory, std::size_t bytes) const {
    auto const* const begin = static_cast<std::byte const*>(memory);
    for (auto const& [source, size] : sources) {
      auto const* const first = static_cast<std::byte const*>(source);
      if (first < begin + bytes && begin < first + size) return true;
    }
    return false;
  }
};

Work queued, recorded;
Requests requested, in_record;  ///< of queued work, which has been run since or not; of `recorded`
bool recording = false;

/// Where work goes now, and where it is counted.
Work& current() { return recording ? recorded : queued; }
Requests& counted() { return recording ? in_record : requested; }

class RecordedGraph final : public Graph {
 public:
  RecordedGraph(Work work, Requests const& requests)
      : work_(std::move(work)), requests_(requests) {}
  void launch() override {
    work_.poison_results();
    queued.steps.insert(queued.steps.end(), work_.steps.begin(), work_.steps.end());
    ++requested.graphs;
    requested.graph_kernels += requests_.kernels;
    requested.copies_to_device += requests_.copies_to_device;
    requested.copies_to_host += requests_.copies_to_host;
    requested.copies_on_device += requests_.copies_on_device;
    requested.bytes_to_device += requests_.bytes_to_device;
    requested.bytes_to_host += requests_.bytes_to_host;
  }

 private:
  Work work_;
  Requests requests_;
};

/// Queues `run` and counts it as one of `kind`.
void add(std::int64_t Requests::*kind, std::function<void()> run) {
  current().steps.push_back({std::move(run), nullptr});
  ++(counted().*kind);
}

void add_copy(std::int64_t Requests::*kind, void* to, void const* from, std::size_t bytes) {
  if (bytes > 0) add(kind, [=] { std::memcpy(to, from, bytes); });
}

/// Runs what is queued as long as it is ready; whether nothing is left.
bool run_queued() {
  static std::size_t next = 0;
  auto& steps = queued.steps;
  auto const ready = [](Step const& step) { return step.ready == nullptr || step.ready(); };
  memory().protect(PROT_READ | PROT_WRITE);
  for (; next < steps.size() && ready(steps[next]); ++next) steps[next].run();
  memory().protect(PROT_NONE);
  if (next < steps.size()) return false;
  next = 0;
  steps.clear();
  queued.sources.clear();
  return true;
}

/// Devices of the machine that is emulated; 0: not a number.
std::int64_t device_count() {
  char const* const wish = std::getenv("LBANN_EMULATED_DEVICES");
  if (wish == nullptr) return 1;
  std::string_view const text = wish;
  std::int64_t count = 0;
  auto const [end, error] = std::from_chars(text.data(), text.data() + text.size(), count);
  return error == std::errc{} && end == text.data() + text.size() && count > 0 ? count : 0;
}

std::int64_t chosen = 0;

}  // namespace

Kind kind() { return Kind::emulated; }
Result<Success> start(std::int64_t process_on_node) {
  auto const count = device_count();
  if (count == 0) return Problem{"LBANN_EMULATED_DEVICES is not a positive number"};
  chosen = process_on_node % count;
  return Success{};
}
std::int64_t chosen_device() { return chosen; }
std::string description() { return "emulated on the host"; }
std::int64_t free_bytes() {
  return static_cast<std::int64_t>(::sysconf(_SC_AVPHYS_PAGES)) * ::sysconf(_SC_PAGESIZE);
}
std::int64_t concurrency() { return 256; }

void Release::operator()(std::byte* pointer) const {
  synchronize();  // as cudaFree does
  memory().release(pointer);
}
Memory allocate(std::int64_t bytes) { return Memory(memory().allocate(bytes)); }
void Unpin::operator()(std::byte* pointer) const { std::free(pointer); }
Pinned allocate_pinned(std::int64_t bytes) { return Pinned(allocate_aligned(bytes)); }

void enqueue(std::function<void()> work) { add(&Requests::kernels, std::move(work)); }
void enqueue_when(std::function<bool()> ready, std::function<void()> work) {
  current().steps.push_back({std::move(work), std::move(ready)});
}
Requests requests() { return requested; }

void copy_to_device(void* to, void const* from, std::size_t bytes) {
  current().sources.emplace_back(from, bytes);
  add_copy(&Requests::copies_to_device, to, from, bytes);
  counted().bytes_to_device += static_cast<std::int64_t>(bytes);
}
void clear(void* memory, std::size_t bytes) {
  add(&Requests::copies_on_device, [=] { std::memset(memory, 0, bytes); });
}
void copy_on_device(void* to, void const* from, std::size_t bytes) {
  add_copy(&Requests::copies_on_device, to, from, bytes);
}
void copy_to_host(void* to, void const* from, std::size_t bytes) {
  if (recording)
    recorded.results.emplace_back(to, bytes);
  else if (!queued.is_source(to, bytes))
    std::memset(to, poison, bytes);
  add_copy(&Requests::copies_to_host, to, from, bytes);
  counted().bytes_to_host += static_cast<std::int64_t>(bytes);
}

void synchronize() {
  while (!is_done()) std::this_thread::sleep_for(std::chrono::microseconds(50));
}
bool is_done() {
  if (recording) fail("the host waits for the device while its work is recorded");
  if (queued.steps.empty()) return true;
  if (!run_queued()) return false;
  ++requested.waits;
  return true;
}

void begin_recording() { recording = true; }
std::unique_ptr<Graph> end_recording() {
  recording = false;
  return std::make_unique<RecordedGraph>(std::exchange(recorded, {}), std::exchange(in_record, {}));
}

}  // namespace lbann::device
