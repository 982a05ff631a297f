// Signals and sanitizers are told which case they met.
#include "tests/support/mutated_case.hpp"

#include <sys/time.h>
#include <unistd.h>

#include <array>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <limits>

// Present where a sanitizer is linked.
extern "C" void __sanitizer_set_death_callback(void (*callback)()) __attribute__((weak));

namespace lbann::testing {

namespace {

/// Far beyond the milliseconds that a case takes, under sanitizers and on slow machines too.
constexpr int most_processor_seconds = 300;

std::uint64_t current_case = 0;
bool running = false;

/// Async-signal-safe.
void name_case() {
  if (!running) return;
  char text[64] = "\ncase ";
  std::size_t end = std::strlen(text);
  char digits[24];
  std::size_t count = 0;
  for (auto left = current_case; count == 0 || left > 0; left /= 10)
    digits[count++] = static_cast<char>('0' + left % 10);
  while (count > 0) text[end++] = digits[--count];
  for (char const c : std::string_view(" ended the process\n")) text[end++] = c;
  [[maybe_unused]] auto const written = ::write(STDERR_FILENO, text, end);
}

void on_signal(int signal) {
  if (signal == SIGPROF) {
    constexpr std::string_view words = "\nno end within the processor time of a case";
    [[maybe_unused]] auto const written = ::write(STDERR_FILENO, words.data(), words.size());
  }
  name_case();
  ::signal(signal, SIG_DFL);
  if (signal == SIGPROF) ::_exit(1);
  ::raise(signal);
}

void limit_processor_time(int seconds) {
  itimerval const limit{{0, 0}, {seconds, 0}};
  ::setitimer(ITIMER_PROF, &limit, nullptr);
}

}  // namespace

std::span<std::int64_t const> edge_integers() {
  using Limits = std::numeric_limits<std::int64_t>;
  static constexpr std::array<std::int64_t, 28> numbers = {0,
                                                           1,
                                                           -1,
                                                           2,
                                                           3,
                                                           7,
                                                           8,
                                                           15,
                                                           16,
                                                           17,
                                                           100,
                                                           255,
                                                           256,
                                                           1000,
                                                           65535,
                                                           65536,
                                                           1 << 20,
                                                           1 << 24,
                                                           2147483647,
                                                           2147483648,
                                                           -2147483648,
                                                           4294967295,
                                                           4294967296,
                                                           1ll << 40,
                                                           1ll << 53,
                                                           1ll << 62,
                                                           Limits::max(),
                                                           Limits::min()};
  return numbers;
}

std::span<double const> edge_reals() {
  using Limits = std::numeric_limits<double>;
  static constexpr std::array<double, 16> numbers = {0,
                                                     -0.0,
                                                     1,
                                                     -1,
                                                     0.5,
                                                     2,
                                                     1e-3,
                                                     1e-300,
                                                     1e30,
                                                     1e38,
                                                     1e39,
                                                     1e300,
                                                     -1e300,
                                                     4.9e-324,
                                                     Limits::infinity(),
                                                     Limits::quiet_NaN()};
  return numbers;
}

std::span<std::string_view const> edge_texts() {
  static std::string const long_text(3000, 'x');
  static std::array<std::string_view, 14> const texts = {
      "",        "a",        "0",    "-1",   "a b", "a.0", "train",
      "samples", "\xc3\xa4", "\xff", "%s%n", "`",   "$x",  long_text};
  return texts;
}

Cases cases_of(int argc, char** argv, int arguments) {
  Cases cases;
  if (argc < arguments + 2) {
    std::fprintf(stderr, "COUNT [FIRST] are missing\n");
    std::exit(2);
  }
  cases.count = std::strtoull(argv[arguments + 1], nullptr, 10);
  if (argc > arguments + 2) cases.first = std::strtoull(argv[arguments + 2], nullptr, 10);
  return cases;
}

void run_cases(Cases const& cases, std::function<void(std::uint64_t)> const& run) {
  if (__sanitizer_set_death_callback != nullptr)
    __sanitizer_set_death_callback(name_case);
  else
    for (int const signal : {SIGSEGV, SIGBUS, SIGFPE, SIGILL}) std::signal(signal, on_signal);
  for (int const signal : {SIGABRT, SIGPROF}) std::signal(signal, on_signal);
  running = true;
  for (current_case = cases.first; current_case < cases.first + cases.count; ++current_case) {
    limit_processor_time(most_processor_seconds);
    run(current_case);
  }
  running = false;
  limit_processor_time(0);
}

}  // namespace lbann::testing
