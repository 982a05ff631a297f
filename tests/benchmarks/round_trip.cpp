// Prints how many nanoseconds a cache line takes from one core to another and back, for the first
// two cores of this process: some 50 where they share a cache, several hundred where they do not. A
// virtual machine may change from one to the other within minutes.
#include <pthread.h>
#include <sched.h>

#include <atomic>
#include <chrono>
#include <cstdio>
#include <thread>
#include <vector>

namespace {

void run_on(int core) {
  cpu_set_t cores;
  CPU_ZERO(&cores);
  CPU_SET(core, &cores);
  pthread_setaffinity_np(pthread_self(), sizeof cores, &cores);
}

}  // namespace

int main() {
  cpu_set_t allowed;
  CPU_ZERO(&allowed);
  sched_getaffinity(0, sizeof allowed, &allowed);
  std::vector<int> cores;
  for (int i = 0; i < CPU_SETSIZE && cores.size() < 2; ++i)
    if (CPU_ISSET(i, &allowed)) cores.push_back(i);
  if (cores.size() < 2) {
    std::fprintf(stderr, "round_trip: needs two cores\n");
    return 1;
  }
  constexpr int trips = 50'000;
  alignas(128) static std::atomic<int> ball{0};
  std::thread other([&] {
    run_on(cores[1]);
    for (int i = 0; i < trips; ++i) {
      while (ball.load(std::memory_order_acquire) != 2 * i + 1) {
      }
      ball.store(2 * i + 2, std::memory_order_release);
    }
  });
  run_on(cores[0]);
  auto begin = std::chrono::steady_clock::now();
  for (int i = 0; i < trips; ++i) {
    if (i == trips / 5) begin = std::chrono::steady_clock::now();  // both run by then
    ball.store(2 * i + 1, std::memory_order_release);
    while (ball.load(std::memory_order_acquire) != 2 * i + 2) {
    }
  }
  auto const taken = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin);
  other.join();
  std::printf("%.0f\n", taken.count() / (trips - trips / 5) * 1e9);
}
