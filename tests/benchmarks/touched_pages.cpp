// A read opens a page for reading, a write for writing.
#include "tests/benchmarks/touched_pages.hpp"

#include <signal.h>
#include <sys/mman.h>
#include <ucontext.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <utility>

namespace lbann::testing {

namespace {

TouchedPages* living = nullptr;
struct sigaction before;

std::size_t page_bytes() {
  static auto const bytes = static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
  return bytes;
}

void protect(std::span<std::byte> memory, int access) {
  if (::mprotect(memory.data(), memory.size(), access) == 0) return;
  std::perror("mprotect");
  std::abort();
}

bool is_write([[maybe_unused]] void* context) {
#if defined(__x86_64__)
  constexpr auto write = 2;  // of the error code of page faults
  return (static_cast<ucontext_t*>(context)->uc_mcontext.gregs[REG_ERR] & write) != 0;
#else
  return true;
#endif
}

}  // namespace

void TouchedPages::on_fault(int signal, void* info, void* context) {
  auto const* const address = static_cast<std::byte const*>(static_cast<siginfo_t*>(info)->si_addr);
  if (living != nullptr && living->touch(address, is_write(context))) return;
  ::sigaction(signal, &before, nullptr);  // the access is tried again, and is a crash
}

TouchedPages::TouchedPages(std::vector<std::span<std::byte>> const& memory, std::int64_t cached)
    : cached_(cached) {
  for (auto const& region : memory)
    if (!region.empty())
      regions_.push_back({region, std::vector<Page>(region.size() / page_bytes())});
  living = this;
  struct sigaction action = {};
  action.sa_flags = SA_SIGINFO | SA_NODEFER;
  action.sa_sigaction = [](int signal, siginfo_t* info, void* context) {
    on_fault(signal, info, context);
  };
  ::sigaction(SIGSEGV, &action, &before);
  begin(0);
}

TouchedPages::~TouchedPages() {
  for (auto const& region : regions_) protect(region.memory, PROT_READ | PROT_WRITE);
  ::sigaction(SIGSEGV, &before, nullptr);
  living = nullptr;
}

void TouchedPages::begin(std::int64_t thread) {
  thread_ = thread;
  for (auto const& region : regions_) protect(region.memory, PROT_NONE);
}

void TouchedPages::forget(std::span<std::byte> memory) {
  for (auto& region : regions_) {
    if (memory.data() != region.memory.data()) continue;
    std::fill(region.pages.begin(), region.pages.end(), Page{});
  }
}

ExchangedBytes TouchedPages::take() { return std::exchange(exchanged_, {}); }

bool TouchedPages::touch(std::byte const* address, bool writes) {
  for (auto& region : regions_) {
    auto const offset = address - region.memory.data();
    if (offset < 0 || offset >= static_cast<std::ptrdiff_t>(region.memory.size())) continue;
    auto const bytes = page_bytes(), number = static_cast<std::size_t>(offset) / bytes;
    auto& page = region.pages[number];
    auto const mine = std::uint64_t{1} << thread_;
    if (time_ - page.time > cached_) page = {};
    if (writes && (page.holders & ~mine) != 0)
      exchanged_.overwritten += static_cast<std::int64_t>(bytes);
    if (!writes && page.writer >= 0 && (page.holders & mine) == 0)
      exchanged_.read += static_cast<std::int64_t>(bytes);
    page.holders |= mine;
    if (writes) page = {static_cast<std::int8_t>(thread_), mine};
    time_ += static_cast<std::int64_t>(bytes);
    page.time = time_;
    protect(region.memory.subspan(number * bytes, bytes),
            writes ? PROT_READ | PROT_WRITE : PROT_READ);
    return true;
  }
  return false;
}

}  // namespace lbann::testing
