// Threads wait for rounds; in each round all of them look whether there is a part for them.
#include "kernels/thread_team.hpp"

#include <pthread.h>

#include <atomic>
#include <string>
#include <thread>
#include <vector>

#include "kernels/awaited_value.hpp"

#ifdef _OPENMP
#include <omp.h>
#endif

namespace lbann::kernels {

namespace {

constexpr std::size_t cache_line = 64;

/// Libraries that are called from a part must not start threads of their own. LLVM's OpenMP binds a
/// thread to a core when it is first asked for the number of threads in it; asking now, before we
/// place the thread, keeps it from moving the thread later.
void use_one_openmp_thread() {
#ifdef _OPENMP
  omp_set_num_threads(1);
  omp_get_max_threads();
#endif
}

}  // namespace

struct ThreadTeam::State {
  explicit State(WaitPolicy wait) : policy(wait), own_wait(wait, cores) {}

  void start(std::int64_t index, std::function<void(std::int64_t)> const& started) {
    use_one_openmp_thread();
    if (started) started(index);
  }

  void work(std::int64_t index) {
    SpinWait wait(policy, cores);
    for (std::int32_t done = 0;;) {
      if (!wait.spin([&] { return round.load() != done; }))
        while (round.load() == done) round.block_while(done);
      done = round.load();
      if (ends) return;
      if (index < parts) call(context, index);
      if (pending.add(-1) == 0) pending.wake_all();
    }
  }

  /// Lets all other threads begin a round.
  void begin_round() {
    pending.store(static_cast<std::int32_t>(threads.size()));
    round.add(1);
    round.wake_all();
  }

  void wait_for_others() {
    if (own_wait.spin([&] { return pending.load() == 0; })) return;
    for (auto left = pending.load(); left != 0; left = pending.load()) pending.block_while(left);
  }

  // Written by thread 0 between rounds.
  WaitPolicy policy;
  Call call = nullptr;
  void const* context = nullptr;
  std::int64_t parts = 0;
  std::int64_t rounds = 0;
  bool ends = false;
  bool in_round = false;
  std::thread::id const owner = std::this_thread::get_id();
  CoreUse cores;
  SpinWait own_wait;
  std::vector<std::thread> threads;
  std::int64_t size = 1;
  std::function<void(std::int64_t)> begins;  ///< of a team in turn
  alignas(cache_line) AwaitedValue round{0};
  alignas(cache_line) AwaitedValue pending{0};  ///< threads that have not finished the round

  static inline State* living = nullptr;
};

ThreadTeam::ThreadTeam(std::int64_t threads, WaitPolicy policy,
                       std::function<void(std::int64_t)> const& started)
    : state_(std::make_unique<State>(policy)) {
  auto& state = *state_;
  std::atomic<std::int64_t> ready{1};
  try {
    for (std::int64_t index = 1; index < threads; ++index)
      state.threads.emplace_back([&state, &started, &ready, index] {
        ::pthread_setname_np(::pthread_self(), ("compute " + std::to_string(index)).c_str());
        state.start(index, started);
        ready.fetch_add(1);
        ready.notify_one();
        state.work(index);
      });
  } catch (...) {
    state.ends = true;
    state.begin_round();
    for (auto& thread : state.threads) thread.join();
    throw;
  }
  state.start(0, started);
  state.size = threads;
  for (auto count = ready.load(); count < threads; count = ready.load()) ready.wait(count);
  State::living = state_.get();
}

ThreadTeam::ThreadTeam(std::int64_t threads, InTurn in_turn)
    : state_(std::make_unique<State>(WaitPolicy::adaptive)) {
  use_one_openmp_thread();
  state_->size = threads;
  state_->begins = std::move(in_turn.begins);
  State::living = state_.get();
}

ThreadTeam::~ThreadTeam() {
  State::living = nullptr;
  state_->ends = true;
  state_->begin_round();
  for (auto& thread : state_->threads) thread.join();
}

std::int64_t ThreadTeam::size() { return State::living == nullptr ? 1 : State::living->size; }

std::int64_t ThreadTeam::synchronisations() {
  return State::living == nullptr ? 0 : State::living->rounds;
}

void ThreadTeam::run(std::int64_t parts, Call call, void const* context) {
  auto* const state = State::living;
  if (state == nullptr || parts <= 1 || state->owner != std::this_thread::get_id() ||
      state->in_round) {
    for (std::int64_t part = 0; part < parts; ++part) call(context, part);
    return;
  }
  state->call = call;
  state->context = context;
  state->parts = parts;
  state->in_round = true;
  ++state->rounds;
  if (state->begins) {
    for (std::int64_t part = 0; part < parts; ++part) {
      state->begins(part);
      call(context, part);
    }
    state->begins(0);
    state->in_round = false;
    return;
  }
  state->begin_round();
  call(context, 0);
  state->wait_for_others();
  state->in_round = false;
}

}  // namespace lbann::kernels
